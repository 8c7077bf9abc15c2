import type { WebSocket } from 'ws'
import type { TerminalExit } from './terminals.ts'

const ENDED = 1000

/** The last message to a viewer. */
export function tellEnd(client: WebSocket, { code, signal, lost }: TerminalExit): void {
  client.send(JSON.stringify({ type: 'exit', code: code ?? null, signal: signal ?? null, lost: lost ?? false }))
  client.close(ENDED, 'ended')
}
