// One sentence instead of a stack trace on a Node that is too old. Old syntax on purpose; the program and the scripts of
// package.json load it before all else, which such a Node could not even read.
'use strict'

var version = process.versions.node.split('.')
var major = Number(version[0])
if (major < 20 || (major === 20 && Number(version[1]) < 19)) {
  process.stderr.write(
    'toryo needs Node.js 20.19 or newer; this is ' + process.version + ' at ' + process.execPath + '.\n',
  )
  process.exit(1)
}
