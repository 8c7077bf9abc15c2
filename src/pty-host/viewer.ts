// One viewer of a terminal over its WebSocket. Binary frames are bytes, text frames are JSON; see TERMINAL_PROTOCOL.
import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import { WindowSize } from '#kernel/terminals/protocol.ts'
import { tellEnd } from '#kernel/terminals/tell-end.ts'
import type { Size } from '#kernel/terminals/terminals.ts'
import type { Viewer } from './fan-out.ts'
import type { Hosted } from './hosted.ts'
import { ViewerControls } from './viewer-controls.ts'

export type ViewerOptions = { readOnly: boolean; size?: Size | undefined }

const Said = WindowSize.extend({ type: z.literal('resize') })
/** A paste may be long; what is longer is not typed input. */
const INPUT_BYTES = 64 * 1024
const PROTOCOL_ERROR = 1002
const TOO_BIG = 1009

/** Before anything that the viewer says is read. */
export function serveViewer(hosted: Hosted, client: WebSocket, { readOnly, size }: ViewerOptions): void {
  const tell = (message: object) => client.send(JSON.stringify(message))
  const viewer: Viewer = {
    screen: ({ cols, rows, title, data, resync }) => {
      tell({ type: 'screen', cols, rows, title, resync })
      client.send(data)
    },
    output: bytes => client.send(bytes),
    resized: (cols, rows) => tell({ type: 'resize', cols, rows }),
    ended: exit => tellEnd(client, exit),
    get pending() {
      return client.bufferedAmount
    },
  }
  const controls = new ViewerControls(hosted, viewer, {
    size: readOnly ? undefined : size,
    refused: () => tell({ type: 'notice', code: 'input-refused' }),
  })
  const turns = new Turns({ bytes: bytes => controls.input(bytes), size: size => controls.resize(size) })
  client.on('message', (data, isBinary) => {
    if (isBinary) return input(asBuffer(data))
    const said = Said.safeParse(parseJson(asBuffer(data).toString())).data
    if (!said) return client.close(PROTOCOL_ERROR, 'this is not a message of the terminal protocol')
    if (!readOnly) turns.size({ cols: said.cols, rows: said.rows })
  })
  const input = (bytes: Buffer) => {
    if (readOnly) return
    if (bytes.length > INPUT_BYTES) return client.close(TOO_BIG, `at most ${INPUT_BYTES} bytes of input at once`)
    turns.bytes(bytes)
  }
  client.on('close', () => {
    turns.flush()
    controls.leave()
  })
}

type Heard = { bytes(bytes: Buffer): void; size(size: Size): void }

/**
 * What a viewer says first is heard at once: a key must not wait. What else came with it is heard together afterwards, or a
 * flood of tiny messages would keep all others waiting.
 */
class Turns implements Heard {
  readonly #heard: Heard
  #open = false
  #bytes: Buffer[] = []
  #size: Size | undefined

  constructor(heard: Heard) {
    this.#heard = heard
  }

  bytes(bytes: Buffer): void {
    if (this.#isFirst()) this.#heard.bytes(bytes)
    else this.#bytes.push(bytes)
  }

  size(size: Size): void {
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
    return undefined // It gets the error that this is not a valid message.
  }
}
