import fs from 'node:fs'
import { hubLog } from '#client/locate.ts'
import { command } from '../define.ts'
import { CliError, EXIT } from '../errors.ts'
import { follow, tail } from '../log-file.ts'
import { logLine } from '../log-line.ts'
import { count } from '../options.ts'
import { option } from '../texts-help.ts'

export default command<[], { follow?: boolean; lines: number }>({
  summary: { en: "Show the hub's log", ja: 'ハブのログを表示' },
  group: 'hub',
  order: 5,
  when: {
    en: 'When the hub does not do what you expect: reads its log.',
    ja: 'ハブの動きがおかしいときに、ログを確認します。',
  },
  about: {
    en: 'With --json -f each line is a JSON object of its own.',
    ja: '--json と -f を併用すると、1 行ごとに 1 つの JSON になります。',
  },
  options: [
    { flags: '-f, --follow', text: option.follow },
    {
      flags: '-n, --lines <n>',
      text: { en: 'How many of the last lines', ja: '末尾から表示する行数' },
      default: 50,
      parse: value => count('--lines', value),
    },
  ],
  examples: [
    ['toryo logs -n 200', { en: 'the last 200 lines', ja: '最後の 200 行' }],
    ['toryo logs -f', { en: 'until Ctrl-C', ja: 'Ctrl-C まで' }],
  ],
  output: 'logs',
  async run(cx, options) {
    const { io } = cx
    const file = hubLog(cx.target())
    if (!fs.existsSync(file)) throw CliError.HUB_NOT_RUNNING({ db: cx.target().shownDb })
    const { lines, end } = tail(file, options.lines)
    if (!options.follow) {
      const entries = lines.map(line => parse(line) ?? { message: line })
      return { json: { file, entries }, text: lines.map(line => logLine(line, io)).join('\n') }
    }
    const show = (line: string) => {
      const entry = cx.global.json ? JSON.stringify(parse(line) ?? { message: line }) : logLine(line, io)
      io.stdout.write(`${entry}\n`)
    }
    for (const line of lines) show(line)
    const ended = new AbortController()
    process.once('SIGINT', () => ended.abort())
    process.once('SIGTERM', () => ended.abort())
    await follow(file, end, show, ended.signal)
    return EXIT.done
  },
})

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // Cut short by a crash, or not written by the logger.
  }
}
