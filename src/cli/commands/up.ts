import fs from 'node:fs'
import { ClientError } from '#client/errors.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'

type Options = {
  port?: number
  host?: string
  tlsCert?: string
  tlsKey?: string
  allowHost?: string[]
  runner: boolean
  register: boolean
  open: boolean
  demo?: boolean
}

const words = {
  notWithDemo: (flag: string) => ({
    en: `--demo has a database and a home of its own; leave out ${flag}.`,
    ja: `--demo は専用のデータベースと一時フォルダーを使います。${flag} は指定しないでください。`,
  }),
  portWrong: (port: string) => ({
    en: `--port ${JSON.stringify(port)} must be a number from 0 to 65535.`,
    ja: `--port ${JSON.stringify(port)} は 0 から 65535 の数にしてください。`,
  }),
}

export default command<[], Options>({
  summary: { en: 'Run the hub here, until Ctrl-C', ja: 'ハブをここで動かす (Ctrl-C で終了)' },
  group: 'hub',
  order: 1,
  when: {
    en: 'To start working: runs the hub here and shows what your agents do.',
    ja: '仕事を始めるときに。ハブを動かし、エージェントの様子を表示します。',
  },
  about: {
    en: 'Runs the hub in the foreground. It takes over from a background hub of the same database. Commands that need a hub start one in the background automatically; `up` is for the dashboard, and for agents that start automatically.',
    ja: 'ハブをフォアグラウンドで動かします。同じデータベースのバックグラウンドのハブがあれば引き継ぎます。ハブが必要なコマンドは自分でバックグラウンドで起動します。`up` はダッシュボードと、エージェントの自動開始のためのものです。',
  },
  options: [
    {
      flags: '--port <port>',
      text: {
        en: 'Port to listen on (default: 4747, or another when taken)',
        ja: 'ポート (既定: 4747、使用中なら別の番号)',
      },
      parse: port,
    },
    {
      flags: '--host <address>',
      text: {
        en: 'Address to listen on; beyond this machine only with TLS',
        ja: '待ち受けるアドレス (このマシンの外へは TLS が必要)',
      },
    },
    {
      flags: '--tls-cert <file>',
      text: { en: 'TLS certificate (PEM), with --tls-key', ja: 'TLS 証明書 (PEM、--tls-key と併用)' },
      takes: 'file',
    },
    { flags: '--tls-key <file>', text: { en: 'Its private key (PEM)', ja: 'その秘密鍵 (PEM)' }, takes: 'file' },
    {
      flags: '--allow-host <name>',
      text: {
        en: 'A host name under which others reach this hub, or host:port of your own port forward or proxy to it',
        ja: '他のマシンがこのハブに使うホスト名。または、このハブへのポート転送やプロキシの ホスト:ポート',
      },
      parse: (name, before: unknown) => [...((before as string[]) ?? []), name],
    },
    { flags: '--no-runner', text: { en: 'Do not start agents automatically', ja: 'エージェントを自動で開始しない' } },
    {
      flags: '--no-register',
      text: { en: "Leave the engines' configuration alone", ja: '各エンジンの設定に登録しない' },
    },
    {
      flags: '--demo',
      text: {
        en: 'Show a small shop with scripted agents, in a scratch home that is deleted at the end',
        ja: 'スクリプトで動くエージェントのデモを見る (一時フォルダーで動き、終了時に削除)',
      },
    },
    { flags: '--no-open', text: { en: 'Open no browser', ja: 'ブラウザーを開かない' } },
  ],
  examples: [
    ['toryo up', { en: 'the default database, port 4747', ja: '既定のデータベース、ポート 4747' }],
    ['toryo up --db ~/team.db --port 5000', { en: 'another database and port', ja: '別のデータベースとポート' }],
  ],
  output: 'up',
  async run(cx, options) {
    const given = options.demo ? notWithDemo(options, cx.global) : undefined
    if (given !== undefined) throw CliError.USAGE({ text: words.notWithDemo(given) })
    if (!options.demo) cx.target()
    if (!fs.existsSync(cx.hubProgram)) throw ClientError.HUB_NOT_BUILT({ program: cx.hubProgram })
    const { runUp } = await import('../up/run-up.ts')
    return runUp(cx, argvOf(options, cx.global))
  },
})

/** The hub reads its own arguments; these are the ones it was asked for here. */
export function argvOf(options: Options, { db, json }: { db?: string; json?: boolean }): string[] {
  const valued = {
    '--db': db,
    '--port': options.port,
    '--host': options.host,
    '--tls-cert': options.tlsCert,
    '--tls-key': options.tlsKey,
  }
  const flags = {
    '--json': json === true,
    '--no-runner': !options.runner,
    '--no-register': !options.register,
    '--no-open': !options.open,
    '--demo': options.demo === true,
  }
  return [
    // With =, so that a value may begin with a dash.
    ...Object.entries(valued).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
    ...(options.allowHost ?? []).map(name => `--allow-host=${name}`),
    ...Object.entries(flags).flatMap(([name, wanted]) => (wanted ? [name] : [])),
  ]
}

/** A demo has a database and a home of its own, and is for this machine alone. */
function notWithDemo(options: Options, { db, url }: { db?: string; url?: string }): string | undefined {
  const given = {
    '--db': db,
    '--url': url,
    '--host': options.host,
    '--tls-cert': options.tlsCert,
    '--tls-key': options.tlsKey,
    '--allow-host': options.allowHost,
    '--no-runner': options.runner ? undefined : true,
  }
  return Object.entries(given).find(([, value]) => value !== undefined)?.[0]
}

function port(value: string): number {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (!(number <= 65_535)) throw CliError.USAGE({ text: words.portWrong(value) })
  return number
}
