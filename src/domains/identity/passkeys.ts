import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const COST = { N: 16_384, r: 8, p: 1 }
const BYTES = 32

export async function hashPasskey(passkey: string): Promise<string> {
  const salt = randomBytes(16)
  return `${salt.toString('base64')}:${(await derive(passkey, salt)).toString('base64')}`
}

/** Takes the same time whether or not there is a stored hash to compare with. */
export async function passkeyMatches(passkey: string, stored: string | undefined): Promise<boolean> {
  // An agent that came with an export without secrets has none until it is given one.
  const known = stored !== undefined && FORM.test(stored)
  const [salt, hash] = (known ? stored : UNKNOWN).split(':').map(part => Buffer.from(part, 'base64')) as [
    Buffer,
    Buffer,
  ]
  const same = timingSafeEqual(await derive(passkey, salt), hash)
  return same && known
}

/** As `hashPasskey` writes it: 16 and 32 bytes. */
const FORM = /^[A-Za-z0-9+/]{22}==:[A-Za-z0-9+/]{43}=$/
const UNKNOWN = `${Buffer.alloc(16).toString('base64')}:${Buffer.alloc(BYTES).toString('base64')}`

function derive(passkey: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passkey.normalize('NFC'), salt, BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
