// What of a bridge's connection needs the SDK. Not imported but loaded, with the first message that does (frame-transport.ts).
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Hub } from '../hub.ts'
import { wrongParams } from './params.ts'
import type { Peer } from './peer.ts'
import type { BySdk, FrameTransport } from './frame-transport.ts'
import { type Instance, mcpServer } from './server.ts'

export function serveBySdk<S>(hub: Hub<S>, peer: Peer, wire: FrameTransport): BySdk {
  let instance: Instance | undefined
  const handle = serveStdio(
    ({ era }) => {
      instance = mcpServer(hub, peer, era)
      if (era === 'modern') wire.isNewer()
      return instance.server
    },
    { transport: wire, onerror: error => hub.log.debug({ err: error }, 'a connection of a bridge reported an error') },
  )
  return {
    wrongParams,
    touched: uri => instance?.touched(uri),
    toolsChanged: () => instance?.toolsChanged(),
    close: () => handle.close(),
  }
}
