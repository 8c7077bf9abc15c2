import { command } from '../define.ts'
import { EXIT } from '../errors.ts'
import { jsonText, visible } from '../escape.ts'
import { argument, option } from '../texts-help.ts'

const WAIT_MS = 20_000

export default command<[run: string], { follow?: boolean }>({
  summary: { en: 'Print what a run wrote', ja: '実行の出力を表示' },
  order: 3,
  about: {
    en: 'The output as the program wrote it, usually one JSON object a line. With --json each line is put into one. Of an agent that the Runner of this machine started, give the id of its run (`exec_…`, see `toryo task show`).',
    ja: 'プログラムの出力そのものです (多くは 1 行 1 JSON)。--json では各行を JSON に包みます。このマシンの Runner が起動したエージェントでは、その実行の ID (`exec_…`、`toryo task show` で確認) を指定します。',
  },
  arguments: [{ name: '<run>', text: argument.run }],
  options: [{ flags: '-f, --follow', text: option.follow }],
  examples: [['toryo run logs -f run_…', { en: 'until it ends', ja: '終了まで' }]],
  async run(cx, options, runId) {
    const { io } = cx
    const hub = await cx.connect()
    const stopped = new AbortController()
    process.once('SIGINT', () => stopped.abort())
    let offset = 0
    // A line is printed when it is whole.
    let rest = ''
    const print = (line: string) => io.stdout.write(`${cx.global.json ? jsonText({ line }) : visible(line)}\n`)
    while (!stopped.signal.aborted) {
      const wanted = { run_id: runId, offset, wait_ms: options.follow ? WAIT_MS : 0 }
      const piece = await hub.call('run.logs', wanted, { signal: stopped.signal }).catch(problem => {
        if (stopped.signal.aborted) return undefined
        throw problem
      })
      if (!piece) break
      if (piece.shortened)
        io.stderr.write(
          `${io.say({ en: '… the middle of the log was dropped …', ja: '… ログの途中は削除されました …' })}\n`,
        )
      const lines = (rest + piece.text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) print(line)
      const isOver = piece.text === '' && !piece.shortened && (piece.ended || !options.follow)
      offset = piece.next_offset
      if (isOver) break
    }
    if (rest !== '') print(rest)
    if (offset === 0 && !cx.global.json)
      io.stderr.write(`${io.say({ en: 'It has written nothing.', ja: '出力はありません。' })}\n`)
    return EXIT.done
  },
})
