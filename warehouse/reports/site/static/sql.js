"use strict";
// The SQL page: DuckDB in a worker, which has the views of this site and can reach nothing else.
(() => {
  const MOST_ROWS = 1000;
  const READ_ONLY = 2;
  const FILE = "views.duckdb";
  // This DuckDB orders row groups by the first eight bytes of their texts, and fails where those end
  // inside a letter. So the optimizer that does so is off.
  const LOCKS = `
    set disabled_optimizers = 'row_group_pruner';
    set autoinstall_known_extensions = false;
    set autoload_known_extensions = false;
    set enable_external_access = false;
    set lock_configuration = true;
  `;
  // Runs in the worker before DuckDB: the first message is what DuckDB is about to fetch.
  const BEFORE = `
    const wasm = new Promise((found) => addEventListener("message", (event) => {
      event.stopImmediatePropagation();
      found(event.data);
    }, { once: true }));
    self.fetch = async () => new Response(
      new Blob([await wasm]).stream().pipeThrough(new DecompressionStream("gzip")),
      { headers: { "Content-Type": "application/wasm" } },
    );
  `;
  const MAGIC = "ARROW1\0\0";
  const NUMBER = /INT|DOUBLE|FLOAT|DECIMAL/;
  let engine = null;
  let typed = null;

  // In a single file a part is inside; in a folder it is a script beside the page.
  async function packed(name) {
    let text = document.getElementById("sql-" + name)?.textContent;
    if (text === undefined) {
      await new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = `sql/${name}.js`;
        script.onload = done;
        script.onerror = () => failed(new Error(`${script.src} cannot be read`));
        document.head.append(script);
      });
      text = self.sqlParts[name];
    }
    return self.bytesOf(text);
  }

  function unpacked(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }

  // Returns a function that sends the worker a message and awaits its answer.
  function asking(worker) {
    const waiting = new Map();
    let number = 0;
    worker.onmessage = ({ data: { requestId, type, data } }) => {
      const asked = waiting.get(requestId);
      if (!asked || type === "INSTANTIATE_PROGRESS") return;
      waiting.delete(requestId);
      if (type === "ERROR") asked.failed(new Error(data.message));
      else asked.done(data);
    };
    worker.onerror = ({ message }) => waiting.forEach((asked) => asked.failed(new Error(message)));
    return (type, data, moved = []) => new Promise((done, failed) => {
      waiting.set(++number, { done, failed });
      worker.postMessage({ messageId: number, type, data }, moved);
    });
  }

  async function start() {
    const [code, wasm, data] = await Promise.all(["worker", "wasm", "data"].map(packed));
    const [script, file] = await Promise.all([unpacked(code), unpacked(data)]);
    const address = URL.createObjectURL(new Blob([BEFORE, script], { type: "text/javascript" }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    worker.postMessage(wasm, [wasm.buffer]);
    const ask = asking(worker);
    await ask("INSTANTIATE", ["data:,engine", null]);
    await ask("REGISTER_FILE_BUFFER", [FILE, new Uint8Array(file)], [file]);
    await ask("OPEN", { path: FILE, accessMode: READ_ONLY });
    const connection = await ask("CONNECT", null);
    await ask("RUN_QUERY", [connection, LOCKS]);
    const run = async (sql) => textsOf(await ask("RUN_QUERY", [connection, sql]));
    return { run, worker };
  }

  // The rows of an Arrow file whose columns are all texts; a missing value is null.
  function textsOf(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const decoder = new TextDecoder();
    const behind = (at) => at + view.getUint32(at, true);
    const long = (at) => Number(view.getBigInt64(at, true));
    // where a table of a flatbuffer has its field of a number, 0 where it has none
    const field = (table, number) => {
      const heads = table - view.getInt32(table, true);
      const place = 4 + 2 * number;
      const offset = place < view.getUint16(heads, true) ? view.getUint16(heads + place, true) : 0;
      return offset && table + offset;
    };
    const rows = [];
    for (let at = MAGIC.length; ; ) {
      const size = view.getInt32(at + 4, true);
      if (size === 0) break;
      const message = behind(at + 8);
      const body = at + 8 + size;
      const length = field(message, 3);
      if (view.getUint8(field(message, 1)) === 3) batch(behind(field(message, 2)), body);
      at = body + (length && long(length));
    }
    return rows;

    function batch(table, body) {
      const buffers = behind(field(table, 2));
      const n = long(field(table, 0));
      const start = (number) => body + long(buffers + 4 + 16 * number);
      const empty = (number) => long(buffers + 12 + 16 * number) === 0;
      const columns = view.getUint32(buffers, true) / 3;
      for (let row = 0; row < n; row++) {
        const cells = [];
        for (let each = 0; each < 3 * columns; each += 3) {
          const known = empty(each) || view.getUint8(start(each) + (row >> 3)) & (1 << (row & 7));
          const ends = start(each + 1) + 4 * row;
          const [from, to] = [view.getInt32(ends, true), view.getInt32(ends + 4, true)];
          const text = bytes.subarray(start(each + 2) + from, start(each + 2) + to);
          cells.push(known ? decoder.decode(text) : null);
        }
        rows.push(cells);
      }
    }
  }

  async function answer(run, sql) {
    const inner = `(${sql.trim().replace(/;\s*(--[^\n]*\s*)*$/, "")}\n)`;
    const heads = await run(`select column_name, column_type from (describe select * from ${inner})`);
    const rows = await run(`select columns(*)::varchar from ${inner} limit ${MOST_ROWS + 1}`);
    return { heads, rows };
  }

  // Characters that print nothing are shown as escapes, as on every page.
  function visible(text) {
    return text.replace(/[^\n\t -~]/gu, (found) => {
      if (!/[\p{C}\p{Z}]/u.test(found)) return found;
      const code = found.codePointAt(0).toString(16);
      const [letter, digits] = code.length < 3 ? ["x", 2] : code.length < 5 ? ["u", 4] : ["U", 8];
      return `\\${letter}${code.padStart(digits, "0")}`;
    });
  }

  function cell(row, tag, text, numeric) {
    const added = document.createElement(tag);
    added.textContent = text === null ? "NULL" : visible(text);
    if (numeric) added.className = "n";
    if (tag === "th") added.scope = "col";
    row.append(added);
  }

  function tableOf({ heads, rows }) {
    const table = document.createElement("table");
    table.className = "sorted";
    table.createCaption().textContent = "Answer";
    table.caption.className = "away";
    const numeric = heads.map(([, type]) => NUMBER.test(type) && !type.endsWith("]"));
    const top = table.createTHead().insertRow();
    heads.forEach(([name], at) => cell(top, "th", name, numeric[at]));
    const body = table.createTBody();
    for (const each of rows.slice(0, MOST_ROWS)) {
      const row = body.insertRow();
      each.forEach((text, at) => cell(row, "td", text, numeric[at]));
    }
    const wide = document.createElement("div");
    wide.className = "wide";
    wide.tabIndex = 0;
    wide.setAttribute("role", "region");
    wide.setAttribute("aria-label", "Answer");
    wide.append(table);
    return wide;
  }

  // Bring the form of the page to life, if it is this page that is shown.
  self.showSql = async (root, enliven) => {
    const form = root.querySelector("form.sql");
    if (!form) return;
    const [text, status, place] = ["text", "status", "rows"].map((id) => root.querySelector(`#sql-${id}`));
    const [runs, stops] = form.querySelectorAll("button");
    const linked = decodeURIComponent(location.hash.split("!").slice(1).join("!"));
    text.value = linked || typed || text.value;
    let stop = null;

    async function open() {
      status.textContent = "DuckDB starts…";
      try {
        engine ??= start();
        await engine;
        runs.disabled = false;
        status.textContent = "Ready.";
      } catch (error) {
        engine = null;
        status.textContent = `DuckDB does not start here: ${error.message}`;
      }
    }

    async function submit() {
      if (runs.disabled) return;
      typed = text.value;
      const { run, worker } = await engine;
      const started = performance.now();
      const stopped = new Promise((_, failed) => {
        stop = () => {
          worker.terminate();
          engine = null;
          failed(new Error("stopped"));
        };
      });
      [runs.disabled, stops.disabled, status.textContent] = [true, false, "Runs…"];
      place.replaceChildren();
      try {
        const found = await Promise.race([answer(run, text.value), stopped]);
        const seconds = ((performance.now() - started) / 1000).toFixed(2);
        const n = found.rows.length > MOST_ROWS ? `the first ${MOST_ROWS}` : found.rows.length;
        status.textContent = `Rows: ${n}, in ${seconds} s.`;
        place.replaceChildren(tableOf(found));
        enliven(place);
      } catch (error) {
        // without DuckDB's drawing of the statement, which has more in it than was typed
        status.textContent = error.message.split("\nLINE ")[0].trim();
      }
      [runs.disabled, stops.disabled] = [false, true];
      if (engine === null) await open();
    }

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit();
    });
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
    });
    stops.addEventListener("click", () => stop());
    await open();
  };
})();
