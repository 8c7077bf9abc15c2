// One viewer of a terminal over its WebSocket. Binary frames are bytes, text frames are JSON; see TERMINAL_PROTOCOL.
import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import { type Attachment, type Terminals, TerminalError, type Viewer } from '#kernel/terminals/terminals.ts'

type Hub = { readonly terminals: Pick<Terminals, 'attach'> }
type Options = { terminal: string; readOnly: boolean; size: { cols: number; rows: number } | undefined }

const Size = z.object({
  cols: z.coerce.number().int().min(1).max(1000),
  rows: z.coerce.number().int().min(1).max(1000),
})
const Said = Size.extend({ type: z.literal('resize') })
/** A paste may be long; what is longer is no typing. */
const INPUT_BYTES = 64 * 1024
const PROTOCOL_ERROR = 1002
const TOO_BIG = 1009
/** Its program has ended, as was told. */
const ENDED = 1000

/** From the query: the viewer's window, so that the first screen fits. */
export function terminalOptions(terminal: string, query: URLSearchParams): Options {
  const readOnly = query.get('readonly') === '1'
  const size = Size.safeParse({ cols: query.get('cols'), rows: query.get('rows') }).data
  return { terminal, readOnly, size: readOnly ? undefined : size }
}

export async function serveTerminal(hub: Hub, client: WebSocket, options: Options): Promise<void> {
  const tell = (message: object) => client.send(JSON.stringify(message))
  const viewer: Viewer = {
    screen: ({ cols, rows, title, data, resync }) => {
      tell({ type: 'screen', cols, rows, title, resync })
      client.send(data)
    },
    output: bytes => client.send(bytes),
    resized: (cols, rows) => tell({ type: 'resize', cols, rows }),
    ended: ({ code, signal, lost }) => {
      tell({ type: 'exit', code: code ?? null, signal: signal ?? null, lost: lost ?? false })
      client.close(ENDED, 'ended')
    },
    get pending() {
      return client.bufferedAmount
    },
  }
  // Heard from the first moment: what is typed before the first screen must not be lost.
  const early: (() => void)[] = []
  let attachment: Attachment | undefined
  const then = (work: (attachment: Attachment) => void) => {
    if (attachment) work(attachment)
    else if (early.length < 100) early.push(() => attachment && work(attachment))
  }
  const turns = new Turns({
    bytes: bytes =>
      then(seat => {
        if (!seat.input(bytes)) tell({ type: 'notice', code: 'input-refused' })
      }),
    size: ({ cols, rows }) => then(seat => seat.resize(cols, rows)),
  })
  client.on('message', (data, isBinary) => {
    if (isBinary) return input(asBuffer(data))
    const size = Said.safeParse(parseJson(asBuffer(data).toString())).data
    if (!size) return client.close(PROTOCOL_ERROR, 'this is no message of the terminal protocol')
    if (!options.readOnly) turns.size(size)
  })
  const input = (bytes: Buffer) => {
    if (options.readOnly) return
    if (bytes.length > INPUT_BYTES) return client.close(TOO_BIG, `at most ${INPUT_BYTES} bytes of input at once`)
    turns.bytes(bytes)
  }
  client.on('close', () => {
    turns.flush()
    attachment?.detach()
  })
  try {
    attachment = await hub.terminals.attach(options.terminal, viewer, options.size)
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    tell({ type: 'notice', code: error.problem })
    return client.close(1011, error.message)
  }
  if (client.readyState !== client.OPEN) attachment.detach()
  for (const work of early) work()
}

type Heard = { bytes(bytes: Buffer): void; size(size: { cols: number; rows: number }): void }

/**
 * What a viewer says first is heard at once: a key must not wait. What else came with it is heard together afterwards, or a
 * flood of tiny messages would keep all others waiting.
 */
class Turns implements Heard {
  readonly #heard: Heard
  #open = false
  #bytes: Buffer[] = []
  #size: { cols: number; rows: number } | undefined

  constructor(heard: Heard) {
    this.#heard = heard
  }

  bytes(bytes: Buffer): void {
    if (this.#isFirst()) this.#heard.bytes(bytes)
    else this.#bytes.push(bytes)
  }

  size(size: { cols: number; rows: number }): void {
    if (this.#isFirst()) this.#heard.size(size)
    else this.#size = size
  }

  flush(): void {
    this.#open = false
    const [bytes, size] = [this.#bytes, this.#size]
    this.#bytes = []
    this.#size = undefined
    if (size) this.#heard.size(size)
    if (bytes.length > 0) this.#heard.bytes(Buffer.concat(bytes))
  }

  #isFirst(): boolean {
    if (this.#open) return false
    this.#open = true
    // Before the next piece is read from any socket: the messages of one piece come without a pause.
    process.nextTick(() => this.flush())
    return true
  }
}

function asBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // It is told that this is no message.
  }
}
