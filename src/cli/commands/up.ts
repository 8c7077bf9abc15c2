import fs from 'node:fs'
import { pathToFileURL } from 'node:url'
import { ClientError } from '#client/errors.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { about, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = {
  port?: number
  host?: string
  tlsCert?: string
  tlsKey?: string
  allowHost?: string[]
  runner: boolean
  register: boolean
  open: boolean
}

export default command<[], Options>({
  about: about.up,
  options: [
    { flags: '--port <port>', text: option.port, parse: port },
    { flags: '--host <address>', text: option.host },
    { flags: '--tls-cert <file>', text: option.tlsCert, takes: 'file' },
    { flags: '--tls-key <file>', text: option.tlsKey, takes: 'file' },
    {
      flags: '--allow-host <name>',
      text: option.allowHost,
      parse: (name, before: unknown) => [...((before as string[]) ?? []), name],
    },
    { flags: '--no-runner', text: option.noRunner },
    { flags: '--no-register', text: option.noRegister },
    { flags: '--no-open', text: option.noOpen },
  ],
  examples: [
    ['toryo up', { en: 'the default database, port 4747', ja: '既定のデータベース、ポート 4747' }],
    ['toryo up --db ~/team.db --port 5000', { en: 'another database and port', ja: '別のデータベースとポート' }],
  ],
  async run(cx, options) {
    cx.target()
    if (!fs.existsSync(cx.hubProgram)) throw ClientError.HUB_NOT_BUILT({ program: cx.hubProgram })
    const hub = (await import(pathToFileURL(cx.hubProgram).href)) as { main(argv: string[]): Promise<number> }
    return hub.main(argvOf(options, cx.global))
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
  }
  return [
    // With =, so that a value may begin with a dash.
    ...Object.entries(valued).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
    ...(options.allowHost ?? []).map(name => `--allow-host=${name}`),
    ...Object.entries(flags).flatMap(([name, wanted]) => (wanted ? [name] : [])),
  ]
}

function port(value: string): number {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (!(number <= 65_535)) throw CliError.USAGE({ text: texts.portWrong(value) })
  return number
}
