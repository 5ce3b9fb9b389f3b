"use strict";
// Sorting and filtering of tables, colours of code, links to the SQL page, pages of a single file.
(() => {
  const WORDS = {
    python: "and as assert async await break class continue def del elif else except finally for from global if import in is lambda None nonlocal not or pass raise return True False try while with yield",
    sql: "select from where group by order having qualify with as and or not in is null case when then else end left right inner join on union all over partition distinct filter between like cast asc desc exists",
  };
  // Python's base 85, but for the character that opens a tag.
  const DIGITS =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
  const PARTS = {
    python: /("""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(#[^\n]*)|([A-Za-z_]\w*)/g,
    sql: /('(?:[^']|'')*'?)|(--[^\n]*|\{#[\s\S]*?#\})|([A-Za-z_]\w*)/g,
  };

  function colour(pre) {
    const language = pre.dataset.language;
    const code = pre.querySelector("code");
    if (!PARTS[language] || code.textContent.length > 200000) return;
    const words = new Set(WORDS[language].split(" "));
    const text = code.textContent;
    const out = document.createDocumentFragment();
    let at = 0;
    for (const found of text.matchAll(PARTS[language])) {
      const name = found[1] ? "s" : found[2] ? "c" : words.has(found[3]) ? "k" : "";
      if (!name) continue;
      out.append(text.slice(at, found.index));
      const span = document.createElement("span");
      span.className = name;
      span.textContent = found[0];
      out.append(span);
      at = found.index + found[0].length;
    }
    out.append(text.slice(at));
    code.replaceChildren(out);
  }

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    if (body.rows.length < 2) return;
    heads.forEach((head, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.textContent = "↕";
      button.setAttribute("aria-label", "sort by " + head.textContent.trim());
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "descending";
        heads.forEach((each) => {
          each.removeAttribute("aria-sort");
          each.querySelector("button.sort").textContent = "↕";
        });
        head.setAttribute("aria-sort", down ? "ascending" : "descending");
        button.textContent = down ? "↑" : "↓";
        const number = head.classList.contains("n");
        const value = (row) => {
          const text = row.cells[place].textContent.trim();
          if (!number) return text;
          const share = text.match(/^(\d+)\/(\d+)/);
          return share ? share[1] / Math.max(share[2], 1) : parseFloat(text);
        };
        const rows = [...body.rows].map((row) => [value(row), row]);
        rows.sort(([a], [b]) => {
          if (number && (isNaN(a) || isNaN(b))) return isNaN(a) - isNaN(b);
          const order = number ? a - b : a.localeCompare(b, undefined, { numeric: true });
          return down ? order : -order;
        });
        body.append(...rows.map(([, row]) => row));
      });
    });
    if (body.rows.length < 6) return;
    const label = document.createElement("label");
    label.className = "filter";
    label.append("Rows with ");
    const input = document.createElement("input");
    input.type = "search";
    label.append(input);
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase();
      for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
    (table.closest(".wide") || table).before(label);
  }

  const main = document.getElementById("main");
  const parts = document.querySelectorAll("script.part");
  const sqlPage = document.querySelector("nav a[href$='sql.html'], nav a[href='#/sql']");

  // A link below a query opens it in the SQL page.
  function runnable(details) {
    const link = document.createElement("a");
    const code = details.querySelector("code").textContent;
    const address = sqlPage.getAttribute("href") + (parts.length ? "" : "#");
    link.href = `${address}!${encodeURIComponent(code)}`;
    link.textContent = "Open in the SQL page";
    details.append(link);
  }

  function enliven(root) {
    root.querySelectorAll("pre.code").forEach(colour);
    root.querySelectorAll("table.sorted").forEach(sortable);
    if (sqlPage) root.querySelectorAll("details.query").forEach(runnable);
    if (self.showSql) self.showSql(root, enliven);
  }

  // The bytes of a part: five letters are four bytes. The last digit fills up a short last group.
  self.bytesOf = (text) => {
    const missing = (5 - (text.length % 5)) % 5;
    const letters = text + DIGITS.at(-1).repeat(missing);
    const digits = new Uint8Array(128);
    for (let digit = 0; digit < DIGITS.length; digit++) digits[DIGITS.charCodeAt(digit)] = digit;
    const view = new DataView(new ArrayBuffer((letters.length / 5) * 4));
    for (let at = 0; at < view.byteLength; at += 4) {
      let value = 0;
      for (let place = 0; place < 5; place++) {
        value = value * 85 + digits[letters.charCodeAt((at / 4) * 5 + place)];
      }
      view.setUint32(at, value);
    }
    return new Uint8Array(view.buffer, 0, view.byteLength - missing);
  };

  const cache = new Map();

  async function part(number) {
    if (!cache.has(number)) {
      const bytes = self.bytesOf(parts[number].textContent);
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      cache.set(number, JSON.parse(await new Response(stream).text()));
    }
    return cache.get(number);
  }

  async function open() {
    if (!location.hash.startsWith("#/")) return;
    const [address, anchor] = location.hash.slice(2).split("!").map(decodeURIComponent);
    const places = await part(0);
    const number = places[address];
    if (number === undefined) {
      main.textContent = "There is no page " + address;
      return;
    }
    const page = (await part(number))[address];
    document.title = page[0] + " – Assay";
    // made and escaped when the site was written
    main.innerHTML = page[1];
    enliven(main);
    const target = anchor && document.getElementById(anchor);
    if (target) target.scrollIntoView();
    else {
      main.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }

  enliven(document);
  if (parts.length) {
    addEventListener("hashchange", open);
    open();
  }
})();
