// Node 22.8 and newer keep the machine code that a program needed, for its next start; older ones compile again. Beside the program:
// who can write there could change the program itself, which cannot be said of Node's own choice, a folder that all users share.
'use strict'

// The types are those of the oldest Node that we support.
var cache = /** @type {{ enableCompileCache?: (folder: string) => unknown }} */ (
  /** @type {unknown} */ (require('module'))
)
// It answers with a status and never throws: where it may not write, nothing is kept.
if (cache.enableCompileCache && !process.env.NODE_COMPILE_CACHE)
  cache.enableCompileCache(require('path').join(__dirname, '..', 'dist', 'compiled'))
