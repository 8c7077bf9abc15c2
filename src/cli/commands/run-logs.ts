import { command } from '../define.ts'
import { EXIT } from '../errors.ts'
import { jsonText, visible } from '../escape.ts'
import { crewTexts } from '../texts-crew.ts'
import { about, argument, option } from '../texts-help.ts'

const WAIT_MS = 20_000

export default command<[run: string], { follow?: boolean }>({
  about: about.runLogs,
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
      if (piece.shortened) io.stderr.write(`${io.say(crewTexts.shortened)}\n`)
      const lines = (rest + piece.text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) print(line)
      const isOver = piece.text === '' && !piece.shortened && (piece.ended || !options.follow)
      offset = piece.next_offset
      if (isOver) break
    }
    if (rest !== '') print(rest)
    if (offset === 0 && !cx.global.json) io.stderr.write(`${io.say(crewTexts.noLog)}\n`)
    return EXIT.done
  },
})
