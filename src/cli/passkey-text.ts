import { pairs } from './format.ts'
import type { Io } from './io.ts'
import { texts } from './texts.ts'

/** A passkey is stored only as a hash: this is the one moment to see it. */
export function passkeyText(passkey: string, io: Io): string {
  return `${pairs([[io.say(texts.passkey), passkey]], io)}\n${io.colors.yellow(io.say(texts.passkeyOnce))}`
}
