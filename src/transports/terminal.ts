import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import type { ViewerConnection } from '#kernel/terminals/terminals.ts'

const Length = z.coerce.number().int().min(1).max(1000)
const Size = z.object({ cols: Length, rows: Length })

/** The query has the size of the viewer's window, so that the first screen fits. */
export function viewerOf(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  query: URLSearchParams,
): Omit<ViewerConnection, 'revocable'> {
  const size = Size.safeParse({ cols: query.get('cols'), rows: query.get('rows') }).data
  return { socket, request, head, readOnly: query.get('readonly') === '1', size }
}
