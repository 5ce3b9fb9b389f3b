// Run program.js and tests.js in a context of their own; print the token after the last assert.
'use strict'
const fs = require('fs')
const vm = require('vm')
const crypto = require('crypto')
const util = require('util')
const { writeSync } = fs
const { exit } = process

const token = fs.readFileSync(0, 'latin1')
const program = fs.readFileSync('program.js', 'utf8')
const tests = fs.readFileSync('tests.js', 'utf8')
for (const file of ['program.js', 'tests.js', 'driver.js']) fs.unlinkSync(file)

let asserted = 0
let failed = 0
const said = (text) => writeSync(1, text + '\n')
const modules = {
  'js-md5': (text) => crypto.createHash('md5').update(text).digest('hex'),
  util, crypto, assert: require('assert'), events: require('events'), url: require('url'),
}
const console = Object.freeze({
  assert: (right, ...words) => {
    asserted += 1
    if (right !== true && !right) {
      failed += 1
      writeSync(2, 'Assertion failed ' + asserted + '\n')
    }
  },
  log: (...words) => said(util.format(...words)),
  error: (...words) => writeSync(2, util.format(...words) + '\n'),
  warn: (...words) => writeSync(2, util.format(...words) + '\n'),
  info: (...words) => said(util.format(...words)),
})
const given = {
  console,
  require: (name) => {
    if (!Object.hasOwn(modules, name)) throw new Error('no module ' + name + ' here')
    return modules[name]
  },
  module: { exports: {} },
  exports: {},
  setTimeout, clearTimeout, TextEncoder, TextDecoder, URL, Buffer, performance,
}
const context = vm.createContext(Object.create(null), { codeGeneration: { strings: true } })
for (const name of Object.keys(given)) {
  const fixed = name === 'console'
  Object.defineProperty(context, name, { value: given[name], writable: !fixed, configurable: !fixed })
}
vm.runInContext(program, context, { filename: 'program.js' })
vm.runInContext(tests, context, { filename: 'tests.js' })
if (failed > 0 || asserted === 0) exit(1)
writeSync(1, '\n' + token + '\n')
exit(0)
