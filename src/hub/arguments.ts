// What the hub's command line says.
import { parseArgs } from 'node:util'
import type { Text } from '#contract/errors.ts'

const IDLE_MS = 10 * 60 * 1000

export type Args = {
  /** In a scratch home, with scripted agents; `owned`: by the hub at the other end of our channel. */
  demo: boolean
  owned: boolean
  db: string | undefined
  background: boolean
  /** Started by a `toryo up` that shows it, and ends with it unless it is asked to stay. */
  attached: boolean
  json: boolean
  host: string
  /** Asked for by name; without it another is taken when the usual one is in use. */
  port: number | undefined
  hosts: string[]
  register: boolean
  tls: { cert: string; key: string } | undefined
  idleMs: number
  runner: boolean
  /** The dashboard, in the person's browser. */
  open: boolean
}

/** The sentence says what is wrong with it. */
export function readArgs(argv: string[]): Args | { wrong: Text } {
  try {
    const { values } = parseArgs({
      args: argv[0] === 'up' ? argv.slice(1) : argv,
      options: {
        db: { type: 'string' },
        background: { type: 'boolean' },
        attached: { type: 'boolean' },
        json: { type: 'boolean' },
        host: { type: 'string' },
        port: { type: 'string' },
        'allow-host': { type: 'string', multiple: true },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        'idle-ms': { type: 'string' },
        'no-runner': { type: 'boolean' },
        'no-register': { type: 'boolean' },
        'no-open': { type: 'boolean' },
        demo: { type: 'boolean' },
        owned: { type: 'boolean' },
      },
    })
    const port = values.port === undefined ? undefined : Number(values.port)
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
      return wrong(
        `--port must be a number from 0 to 65535, not ${values.port}`,
        `--port は 0 から 65535 の数にしてください (指定: ${values.port})`,
      )
    const cert = values['tls-cert']
    const key = values['tls-key']
    if ((cert === undefined) !== (key === undefined))
      return wrong('--tls-cert and --tls-key go together', '--tls-cert と --tls-key は両方とも指定してください')
    const idleMs = Number(values['idle-ms'] ?? IDLE_MS)
    if (!(idleMs > 0 && idleMs < 2 ** 31))
      return wrong(
        `--idle-ms must be a number of milliseconds, not ${values['idle-ms']}`,
        `--idle-ms はミリ秒の数にしてください (指定: ${values['idle-ms']})`,
      )
    return {
      db: values.db,
      background: values.background ?? false,
      attached: values.attached ?? false,
      json: values.json ?? false,
      host: values.host ?? '127.0.0.1',
      port,
      hosts: values['allow-host'] ?? [],
      demo: values.demo ?? false,
      owned: values.owned ?? false,
      register: !values['no-register'] && !values.demo,
      tls: cert !== undefined && key !== undefined ? { cert, key } : undefined,
      idleMs,
      open: !values['no-open'],
      runner: !(values['no-runner'] ?? false) && !(values.background ?? false),
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return wrong(
      message,
      code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? unknown(message) : `引数が正しくありません: ${message}`,
    )
  }
}

function wrong(en: string, ja: string): { wrong: Text } {
  return { wrong: { en, ja } }
}

/** Node's sentence begins with `Unknown option '--name'`. */
function unknown(message: string): string {
  return `不明なオプションです: ${/'([^']+)'/.exec(message)?.[1] ?? message}`
}
