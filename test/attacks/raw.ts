// HTTP as an attacker writes it: bytes on a socket, with whatever headers no client library would send.
import { connect, type Socket } from 'node:net'

export type RawAnswer = { status: number; head: string; body: string }

export type RawRequest = {
  method?: string
  target: string
  /** Each as its own line; none is added. */
  headers: readonly string[]
  body?: string
  version?: '1.0' | '1.1'
}

/** Sends one request and reads until the other side ends. */
export function ask(port: number, request: RawRequest): Promise<RawAnswer> {
  return exchange(port, text(request))
}

function text({ method = 'GET', target, headers, body = '', version = '1.1' }: RawRequest): string {
  return `${[`${method} ${target} HTTP/${version}`, ...headers].join('\r\n')}\r\n\r\n${body}`
}

/** What the server says to these bytes, up to a whole answer without asking for one. Status 0: it hung up. */
export function exchange(port: number, bytes: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let received = ''
    const finish = () => {
      socket.destroy()
      const [head = '', ...rest] = received.split('\r\n\r\n')
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') })
    }
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk
      if (isWhole(received)) finish()
    })
    socket.on('end', finish)
    socket.on('error', error => ((error as NodeJS.ErrnoException).code === 'ECONNRESET' ? finish() : reject(error)))
  })
}

function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = received.slice(0, end)
  if (/^transfer-encoding: chunked/im.test(head)) return received.endsWith('\r\n0\r\n\r\n')
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  return length !== undefined && received.length - end - 4 >= Number(length)
}

export function upgradeHeaders(protocol = 'toryo-relay.2'): string[] {
  return [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Sec-WebSocket-Protocol: ${protocol}`,
  ]
}

/** A frame as a client must send it: masked, here with zeros. */
export function frame(
  opcode: number,
  payload: Buffer,
  { fin = true, rsv1 = false, length = payload.length } = {},
): Buffer {
  const first = (fin ? 0x80 : 0) | (rsv1 ? 0x40 : 0) | opcode
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = first
  head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, Buffer.alloc(4), payload])
}

/** A WebSocket by hand: opened, and from then on raw bytes in both directions. */
export class RawSocket {
  readonly socket: Socket
  received = Buffer.alloc(0)
  readonly closed: Promise<void>

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => (this.received = Buffer.concat([this.received, chunk])))
    this.closed = new Promise(resolve => socket.on('close', () => resolve()))
    socket.on('error', () => {})
  }

  static open(port: number, token: string, path = '/bridge', protocol = 'none'): Promise<RawSocket> {
    const headers = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`, ...upgradeHeaders(protocol)]
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text({ target: path, headers })))
      socket.once('data', (chunk: Buffer) => {
        const answer = chunk.toString('latin1')
        if (!answer.startsWith('HTTP/1.1 101')) return reject(new Error(answer))
        resolve(new RawSocket(socket))
      })
      socket.once('error', reject)
    })
  }

  /** The close code the hub sent, if it did. */
  get closeCode(): number | undefined {
    for (let at = 0; at + 2 <= this.received.length; ) {
      const opcode = (this.received[at] as number) & 0x0f
      let length = (this.received[at + 1] as number) & 0x7f
      let head = 2
      if (length === 126) [length, head] = [this.received.readUInt16BE(at + 2), 4]
      else if (length === 127) [length, head] = [Number(this.received.readBigUInt64BE(at + 2)), 10]
      if (opcode === 8) return this.received.readUInt16BE(at + head)
      at += head + length
    }
    return undefined
  }
}

/** Lines by hand, at the port or at the hub's socket. */
export class RawLines {
  readonly socket: Socket
  readonly lines: string[] = []
  readonly closed: Promise<void>
  #rest = ''

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n')
      this.#rest = lines.pop() ?? ''
      this.lines.push(...lines)
    })
    this.closed = new Promise(resolve => socket.on('close', () => resolve()))
    socket.on('error', () => {})
  }

  /** Rejects with what the hub answered in place of the upgrade. */
  static open(at: number | string, headers: readonly string[]): Promise<RawLines> {
    const upgrade = ['Connection: Upgrade', 'Upgrade: toryo-lines.2', ...headers]
    return new Promise((resolve, reject) => {
      const ask = () => socket.write(text({ target: '/bridge', headers: upgrade }))
      const socket = typeof at === 'number' ? connect(at, '127.0.0.1', ask) : connect(at, ask)
      socket.once('data', (chunk: Buffer) => {
        const answer = chunk.toString('latin1')
        if (!answer.startsWith('HTTP/1.1 101')) return reject(new Error(answer))
        resolve(new RawLines(socket))
      })
      socket.once('error', reject)
    })
  }

  get closeCode(): number | undefined {
    const farewell = this.lines.find(line => line.startsWith('bye '))
    return farewell === undefined ? undefined : Number(farewell.split(' ')[1])
  }
}
