// Owns the first step to a database server: a socket that gives up when the server does not answer.
import { Socket } from 'node:net'

const TURNS = 20
const TURN_MS = 100

/**
 * Two seconds, counted in turns of our own event loop: a hub that was itself held up for that long, by much work or by a
 * busy machine, finds the server's answer only afterwards, and must not say then that there was none.
 */
export function dial(): Socket {
  const socket = new Socket()
  let left = TURNS
  const watch = setInterval(() => {
    left -= 1
    if (left === 0) socket.destroy(new Error('timeout expired: the server does not take connections'))
  }, TURN_MS)
  watch.unref()
  const taken = () => clearInterval(watch)
  return socket.once('connect', taken).once('close', taken)
}
