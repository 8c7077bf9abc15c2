#!/usr/bin/env node
// The program. Old syntax and CommonJS on purpose: a Node that is too old must still get as far as node-version.cjs.
// Only what the call needs is loaded: `mcp` goes straight to the bridge, `--version` loads nothing.
'use strict'

require('./node-version.cjs')
require('./compile-cache.cjs')

var args = process.argv.slice(2)
if (args[0] === '--version' || args[0] === '-V') {
  process.stdout.write(require('../package.json').version + '\n')
} else if (args[0] === 'mcp' && !asksForHelp(args)) {
  run('bridge', args.slice(1))
} else {
  run('cli', args)
}

/** The bridge knows no help text; the CLI does. @param {string[]} words */
function asksForHelp(words) {
  return words.indexOf('--help') !== -1 || words.indexOf('-h') !== -1
}

/** Each program of dist/ exports `main(args)`, which resolves to the exit code. @param {string} name @param {string[]} words */
function run(name, words) {
  var file = require('path').join(__dirname, '..', 'dist', name + '.js')
  if (!require('fs').existsSync(file)) {
    process.stderr.write(
      'toryo is not built yet; run `npm start`, or `npm ci && npm run build`, in ' +
        require('path').dirname(__dirname) +
        '.\n',
    )
    process.exit(1)
  }
  import(require('url').pathToFileURL(file).href)
    .then(function (program) {
      return program.main(words)
    })
    .then(
      function (code) {
        // Not process.exit(): what is still in the pipes must go out first.
        if (code !== undefined) process.exitCode = code
      },
      function (error) {
        process.stderr.write('toryo: ' + ((error && error.stack) || error) + '\n')
        process.exit(1)
      },
    )
}
