// Takes the connections of viewers that the hub which started us hands over.
import { Socket } from 'node:net'
import { HandedViewer, type ViewerRequest } from '#kernel/terminals/protocol.ts'

type Welcome = (socket: Socket, request: ViewerRequest, head: Buffer) => void

export function takeViewers(welcome: Welcome): void {
  /** The hub still holds them, too. */
  const shared = new Map<number, () => void>()
  process.on('message', (message, handle) => {
    const said = HandedViewer.safeParse(message).data
    if (!said) return
    if ('released' in said) {
      shared.get(said.released)?.()
      shared.delete(said.released)
      return
    }
    // Without one, the viewer went before we had it.
    if (!(handle instanceof Socket)) return
    shared.set(said.number, () => welcome(handle, said.visit, Buffer.from(said.head, 'base64')))
    handle.on('error', () => handle.destroy())
    process.send?.({ received: said.number }, undefined, undefined, () => {}) // A hub that is gone has let go.
  })
  process.on('disconnect', () => {
    for (const begin of shared.values()) begin()
    shared.clear()
  })
}
