import { hash, randomBytes } from 'node:crypto'
import { V7Generator } from 'uuidv7'
import type { NewId } from '#contract/id-types.ts'

/** Where identifiers and secrets come from. Tests pass their own. */
export interface Ids {
  /** Sortable by time, with over 96 random bits: `tsk_…`. */
  next<P extends string>(prefix: P): P extends keyof NewId ? NewId[P] : string
  /** 256 random bits for a credential. */
  secret(prefix: string): string
}

/** By a time that never goes back, later ones are greater: what is newest is asked by id. */
export function idsBy(now: () => number): Ids {
  const generator = new V7Generator()
  const bytes = () => generator.generateOrResetCore(now(), ROLLBACK_MS).bytes
  return {
    next: prefix => `${prefix}_${base32(Buffer.concat([bytes(), fromLot(4)]))}` as never,
    secret: prefix => `${prefix}_${randomBytes(32).toString('base64url')}`,
  }
}

/** Several hubs agree about the time within this. */
const ROLLBACK_MS = 10_000

export const systemIds: Ids = idsBy(Date.now)

const LOT = 4096
let lot = Buffer.alloc(0)

/** Asking the system costs more than the bytes do, so they are taken in lots: for ids and nonces only, never for secrets. */
export function fromLot(size: number): Buffer {
  if (lot.length < size) lot = randomBytes(LOT)
  const bytes = lot.subarray(0, size)
  lot = lot.subarray(size)
  return bytes
}

const DIGITS = '0123456789abcdefghijklmnopqrstuv'

/** Digits and small letters only: their order is the same in every collation. */
function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS[(value >>> (bits - 5)) & 31]
    value &= (1 << bits) - 1
  }
  return text
}

/** Credentials are stored as this, never as themselves. */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
