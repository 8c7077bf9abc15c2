// A listener on an address of its own that passes everything on to another port and writes down what clients send: the man in the
// middle, or a forward or proxy that the user set up.
import fs from 'node:fs'
import net, { type AddressInfo, type Socket } from 'node:net'
import tls from 'node:tls'

export type TapOptions = {
  /** Names the Host that the client named, as a forward does; else the port's own, as a stranger would to get past the guard. */
  keepHost?: boolean
  /** Ends the client's TLS with this certificate. */
  tls?: { cert: string; key: string }
  /** Speaks TLS to the other side. */
  secureTarget?: boolean
}

export class Tap implements AsyncDisposable {
  readonly #server: net.Server
  readonly #options: TapOptions
  readonly #open = new Set<Socket>()
  /** All that clients have sent, in the order in which it came. */
  heard = ''
  connections = 0
  /** Where everything goes. */
  target: number

  static async to(target: number, options: TapOptions = {}): Promise<Tap> {
    const tap = new Tap(target, options)
    await new Promise<void>(resolve => tap.#server.listen(0, '127.0.0.1', resolve))
    return tap
  }

  private constructor(target: number, options: TapOptions) {
    this.target = target
    this.#options = options
    const own = options.tls
    const connected = (client: Socket) => this.#pass(client)
    this.#server = own
      ? tls.createServer({ cert: fs.readFileSync(own.cert), key: fs.readFileSync(own.key) }, connected)
      : net.createServer(connected)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `${this.#options.tls ? 'https' : 'http'}://127.0.0.1:${this.port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }

  #pass(client: Socket): void {
    this.connections++
    const { keepHost, secureTarget } = this.#options
    const to = { port: this.target, host: '127.0.0.1' }
    const hub = secureTarget ? tls.connect({ ...to, rejectUnauthorized: false }) : net.connect(to)
    for (const socket of [client, hub]) {
      this.#open.add(socket)
      socket.on('error', () => {}) // The other side is closed with it.
      socket.on('close', () => {
        this.#open.delete(socket)
        client.destroy()
        hub.destroy()
      })
    }
    client.on('data', chunk => {
      const text = chunk.toString('latin1')
      this.heard += text
      hub.write(keepHost ? text : text.replace(/^(Host: 127\.0\.0\.1:)\d+\r$/im, `$1${this.target}\r`), 'latin1')
    })
    hub.pipe(client)
  }
}
