// Loaded before every test file that shares its worker with others. Nearly half of what a small hub costs a test is the hash of its
// agents' passkeys, which is expensive on purpose. Here it costs next to nothing, and what the code asked for is checked instead.
// A hub in another process cannot read these hashes: a test that needs one which can is listed under REAL in vitest.config.ts.
import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

type Done = (error: Error | null, key: Buffer) => void
type Scrypt = (password: BinaryLike, salt: BinaryLike, bytes: number, cost: ScryptOptions, done: Done) => void

/** Files share a worker: only once. */
const DONE = Symbol.for('toryo.cheap-passkeys')
/** What is at least recommended for interactive sign-ins. */
const LEAST = { N: 16_384, r: 8 }

if (!(DONE in crypto.scrypt)) {
  const real: Scrypt = crypto.scrypt
  const cheap: Scrypt = (password, salt, bytes, cost, done) => {
    if ((cost.N ?? 0) < LEAST.N || (cost.r ?? 0) < LEAST.r) throw new Error(`a hash too cheap: ${JSON.stringify(cost)}`)
    real(password, salt, bytes, { ...cost, N: 16 }, done)
  }
  Object.assign(crypto, { scrypt: Object.assign(cheap, { [DONE]: true }) })
  syncBuiltinESMExports()
}
