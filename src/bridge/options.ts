import type { Text } from '#contract/errors.ts'
import { isHubUrl } from '#client/state-file.ts'

export type Options = {
  db?: string
  toolsets?: string
  url?: string
  tokenFile?: string
  help?: true
}

export class WrongUse extends Error {
  override readonly name = 'WrongUse'
  readonly text: Text

  constructor(text: Text) {
    super(text.en)
    this.text = text
  }
}

const VALUED = { '--db': 'db', '--toolsets': 'toolsets', '--url': 'url', '--token-file': 'tokenFile' } as const

export const HELP: Text = {
  en: `Usage: toryo mcp [options]

MCP over standard input and output. Starts a background hub for the database when none runs.

  --db <file | postgres://…>   the database (default: ~/.toryo/toryo.db)
  --toolsets <a,b>             only these toolsets (default: all but runner, legacy, planning)
  --url <https://host:port>    a hub that runs elsewhere, in place of --db
  --token-file <file>          the token for --url, in a file that only you can read
  --help                       this text
`,
  ja: `使い方: toryo mcp [オプション]

標準入出力の MCP サーバーです。データベースのハブが動いていなければ、バックグラウンドで起動します。

  --db <ファイル | postgres://…>  データベース (既定: ~/.toryo/toryo.db)
  --toolsets <a,b>               使うツールセット (既定: runner、legacy、planning 以外のすべて)
  --url <https://host:port>      --db の代わりに、別の場所で動いているハブ
  --token-file <ファイル>         --url 用のトークン。あなただけが読めるファイルに置きます
  --help                         この説明
`,
}

/** The last of several wins, so that a client's configuration can overrule a wrapper's. */
export function parseOptions(argv: readonly string[], hasTicket: boolean): Options {
  const options: Options = {}
  const words = [...argv]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--help' || word === '-h') return { help: true }
    const [name, inline] = splitOnce(word)
    if (!(name in VALUED)) throw wrong(`unknown option ${word}`, `不明なオプション ${word}`)
    const value = inline ?? words.shift()
    if (!value) throw wrong(`${name} needs a value`, `${name} には値が必要です`)
    options[VALUED[name as keyof typeof VALUED]] = value
  }
  check(options, hasTicket)
  return options
}

function check({ db, toolsets, url, tokenFile }: Options, hasTicket: boolean): void {
  if (toolsets !== undefined && !/^[a-z]+(,[a-z]+)*$/.test(toolsets))
    throw wrong('--toolsets takes names joined by commas', '--toolsets には名前をカンマ区切りで指定してください')
  if (url === undefined) {
    if (tokenFile !== undefined) throw wrong('--token-file goes with --url', '--token-file は --url と共に使います')
    return
  }
  if (db !== undefined) throw wrong('--db and --url exclude each other', '--db と --url は同時に指定できません')
  if (!isHubUrl(url))
    throw wrong(
      '--url takes https://…, or http:// for this machine alone',
      '--url には https://… を指定してください (http:// はこのマシンのみ)',
    )
  if (tokenFile === undefined && !hasTicket)
    throw wrong('--url needs --token-file', '--url には --token-file が必要です')
}

function splitOnce(word: string): [string, string | undefined] {
  const at = word.indexOf('=')
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

function wrong(en: string, ja: string): WrongUse {
  return new WrongUse({
    en: `toryo mcp: ${en}. \`toryo mcp --help\` lists the options.`,
    ja: `toryo mcp: ${ja}。\`toryo mcp --help\` で一覧を表示します。`,
  })
}
