// `npm start`: a ready clone, then `toryo up`. In this very process: one signal from the terminal arrives once, and the exit
// code is the hub's own.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureReady } from './ensure.js'
import { ROOT } from './sources.js'

ensureReady()
const program = path.join(ROOT, 'bin', 'toryo.js')
process.argv = [process.execPath, program, 'up', ...process.argv.slice(2)]
await import(pathToFileURL(program).href)
