import type { Connection } from '../connect.ts'
import type { Context } from '../context.ts'
import { ActivityText, asWritten } from '../activity-text.ts'
import { command } from '../define.ts'
import { CliError, EXIT } from '../errors.ts'
import { jsonText, visible } from '../escape.ts'
import { findWork } from '../find-work.ts'
import { argument, option } from '../texts-help.ts'

const WAIT_MS = 20_000

export default command<[run: string], { follow?: boolean; raw?: boolean; check?: string }>({
  summary: { en: 'What an agent said and did, step by step', ja: 'エージェントの発言と操作を順に表示' },
  order: 3,
  when: {
    en: 'To see what an agent is doing, or why it failed.',
    ja: 'エージェントが何をしているか、なぜ失敗したかを見るときに。',
  },
  about: {
    en: 'Shows what the agent says, each tool call in one line, and the beginning of results. --raw prints the output as the program wrote it, usually one JSON object a line; --json puts each of those lines into one. Of a tab it prints the screen.',
    ja: '発言、ツール呼び出し (1 行ずつ)、結果の冒頭を表示します。--raw はプログラムの出力そのもの (多くは 1 行 1 JSON)、--json はその各行を JSON に包んで表示します。タブの場合は画面を表示します。',
  },
  arguments: [{ name: '<run>', text: argument.run }],
  options: [
    { flags: '-f, --follow', text: option.follow },
    {
      flags: '--check <name>',
      text: { en: 'Of a task: the output of this check, the last time it ran', ja: 'タスクのチェックの最新の出力' },
    },
    { flags: '--raw', text: { en: 'The output as it was written', ja: '出力をそのまま表示' } },
  ],
  examples: [
    ['toryo run logs -f shop-12', { en: 'the agent on a task, until it ends', ja: 'タスクのエージェントを終了まで' }],
    ['toryo run logs shop-12 --check test', { en: 'what a check wrote', ja: 'チェックの出力' }],
    ['toryo run logs --raw run_…', { en: 'the stream itself', ja: '出力そのもの' }],
  ],
  output: 'logLine',
  async run(cx, options, given) {
    const { io } = cx
    const hub = await cx.connect()
    const runId = options.check === undefined ? await findWork(hub, given) : await checkOf(hub, given, options.check)
    if (runId.startsWith('tab_')) return printScreen(cx, hub, runId)
    const { engine, folder } = options.raw || cx.global.json ? NOTHING : await originOf(hub, runId)
    let shown: ActivityText | undefined
    let isFirst = true
    const stopped = new AbortController()
    process.once('SIGINT', () => stopped.abort())
    let offset = 0
    // A line is printed when it is whole.
    let rest = ''
    const print = (line: string) => {
      if (cx.global.json) {
        io.stdout.write(`${jsonText({ line })}\n`)
        return
      }
      if (isFirst && !options.raw) shown = ActivityText.of(engine, line, io, folder)
      isFirst = false
      for (const one of shown?.lines(line) ?? [options.raw ? visible(line) : asWritten(line)])
        io.stdout.write(`${one}\n`)
    }
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

async function checkOf(hub: Connection, task_id: string, name: string): Promise<string> {
  const { evidence, handle } = await hub.call('task.show', { task_id })
  const last = evidence.find(({ check }) => check === name)
  if (!last) throw CliError.FAILED({ text: noCheck(handle, name) })
  return last.evidence_id
}

const noCheck = (handle: string, name: string) => ({
  en: `Check ${JSON.stringify(name)} has not run on ${handle}. \`toryo task review ${handle}\` lists its checks.`,
  ja: `チェック ${JSON.stringify(name)} は ${handle} で実行されていません。\`toryo task review ${handle}\` で一覧を確認できます。`,
})

type Origin = { engine: string | null; folder: string | null }
const NOTHING: Origin = { engine: null, folder: null }

/** Whose output it is, and where it works. */
async function originOf(hub: Connection, runId: string): Promise<Origin> {
  if (runId.startsWith('evd_')) return NOTHING
  if (runId.startsWith('exec_')) {
    const { engine, task_id } = await hub.call('execution.show', { execution_id: runId })
    const { workspace } = await hub.call('task.show', { task_id })
    return { engine, folder: workspace?.path ?? null }
  }
  const { engine, directory } = await hub.call('run.show', { run_id: runId })
  return { engine, folder: directory }
}

async function printScreen(cx: Context, hub: Connection, tabId: string): Promise<number> {
  const { screen, last_screen } = await hub.call('tab.show', { tab_id: tabId })
  for (const line of screen ?? last_screen ?? [])
    cx.io.stdout.write(`${cx.global.json ? jsonText({ line }) : visible(line)}\n`)
  return EXIT.done
}
