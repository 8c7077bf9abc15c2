import path from 'node:path'
import type { CrewRunRecord } from '#contract/records.ts'
import type { Connection } from '../connect.ts'
import { CrewProgress } from '../crew-progress.ts'
import { results, runTable } from '../crew-text.ts'
import { command } from '../define.ts'
import { CliError, EXIT } from '../errors.ts'
import { followCrew } from '../follow-crew.ts'
import type { Io } from '../io.ts'
import { LastActions } from '../last-actions.ts'
import { textOrFile } from '../options.ts'
import { option } from '../texts-help.ts'

type Options = {
  role?: string[]
  stage?: string[]
  dir?: string
  task?: string
  timeout?: number
  description?: string
  continue?: boolean
  detach?: boolean
}

const again = (value: string, before: unknown) => [...((before as string[] | undefined) ?? []), value]

const words = {
  goesOn: (crew: string) => ({
    en: `The runs go on. \`toryo crew show ${crew}\` shows them; \`toryo run stop <run>\` ends one, \`toryo crew stop ${crew}\` all.`,
    ja: `実行は続いています。\`toryo crew show ${crew}\` で表示、\`toryo run stop <実行>\` で 1 つ、\`toryo crew stop ${crew}\` ですべて終了できます。`,
  }),
  started: (crew: string, count: number) => ({
    en: `${crew}: ${count} ${count === 1 ? 'run' : 'runs'}`,
    ja: `${crew}: 実行 ${count} 件`,
  }),
  durationWrong: (value: string) => ({
    en: `--timeout takes a time such as 90s, 20m or 2h, not ${value}.`,
    ja: `--timeout には 90s、20m、2h のような時間を指定してください (${value} は不可)。`,
  }),
}

export default command<[prompt: string], Options>({
  summary: { en: 'Start a crew and watch it work', ja: 'クルーを起動して見守る' },
  order: 1,
  when: {
    en: 'When several agents should do one thing at once, without tasks.',
    ja: 'タスクを作らず、複数のエージェントに一度に頼むときに。',
  },
  about: {
    en: 'Roles come from the configuration; planner, implementer, reviewer, tester and writer are built in. Ctrl-C stops watching; the runs go on. Exit code 1 when one did not complete.',
    ja: 'ロールは設定で定義します。planner、implementer、reviewer、tester、writer は最初からあります。Ctrl-C で表示だけを終え、実行は続きます。完了しなかったものがあれば終了コード 1 です。',
  },
  arguments: [
    { name: '<prompt>', text: { en: 'What they are to do: text, or @file', ja: '依頼: 文章または @ファイル' } },
  ],
  options: [
    {
      flags: '--role <role>',
      text: { en: 'A role to start; may be given several times', ja: '起動するロール (複数指定可)' },
      parse: again,
    },
    {
      flags: '--stage <roles>',
      text: {
        en: 'Roles of one stage, joined by commas; stages follow one another as given',
        ja: '1 ステージのロール (カンマ区切り)。指定した順に進みます',
      },
      parse: again,
    },
    {
      flags: '--dir <folder>',
      text: { en: 'Where they work (default: this folder)', ja: '作業フォルダー (既定: このフォルダー)' },
      takes: 'folder',
    },
    {
      flags: '--task <task>',
      text: {
        en: 'Work in the workspace of this task; one at a time may change files',
        ja: 'このタスクのワークスペースで作業する (ファイルを変更できるのは同時に 1 つ)',
      },
    },
    {
      flags: '--timeout <time>',
      text: { en: 'End each after this long: 90s, 20m, 2h', ja: '各実行の制限時間: 90s、20m、2h' },
      parse: value => milliseconds(value),
    },
    { flags: '--description <text>', text: option.description },
    {
      flags: '--continue',
      text: { en: 'Go on with the next stage when one fails', ja: 'ステージが失敗しても次へ進む' },
    },
    { flags: '--detach', text: { en: 'Do not wait for them', ja: '終了を待たない' } },
  ],
  examples: [
    ['toryo crew run --role reviewer --role tester "Look at the last commit"', { en: 'side by side', ja: '並行して' }],
    [
      'toryo crew run --stage planner --stage implementer --stage reviewer,tester @task.md',
      { en: 'in stages', ja: '段階的に' },
    ],
    [
      'toryo crew run --task shop-12 --stage implementer --stage reviewer "Build it"',
      { en: 'in the workspace of a task', ja: 'タスクのワークスペースで' },
    ],
  ],
  output: 'crew.run',
  async run(cx, options, given) {
    const { io } = cx
    const prompt = textOrFile(given, io.cwd) ?? ''
    if (prompt.trim() === '') throw CliError.USAGE({ text: { en: 'The prompt is empty.', ja: 'プロンプトが空です。' } })
    if (options.role && options.stage)
      throw CliError.USAGE({
        text: { en: '--role and --stage exclude each other.', ja: '--role と --stage は同時に指定できません。' },
      })
    if (options.dir !== undefined && options.task !== undefined)
      throw CliError.USAGE({
        text: { en: '--dir and --task exclude each other.', ja: '--dir と --task は同時に指定できません。' },
      })
    const stages = options.stage?.map(roles => roles.split(',').map(role => role.trim())) ?? [options.role ?? []]
    if (stages.some(roles => roles.length === 0 || roles.includes('')))
      throw CliError.USAGE({
        text: {
          en: 'Name at least one role with --role, or stages with --stage. `toryo doctor` shows the roles there are.',
          ja: '--role でロールを、または --stage でステージを指定してください。ロールは `toryo doctor` で確認できます。',
        },
      })
    const task = { prompt, ...(options.timeout !== undefined && { timeout_ms: options.timeout }) }
    const hub = await cx.connect()
    const started = await hub.call('crew.run', {
      mode: options.stage ? 'sequential' : 'concurrent',
      stages: stages.map(roles => ({ tasks: roles.map(role => ({ role, ...task })) })),
      ...(options.task === undefined
        ? { directory: path.resolve(io.cwd, options.dir ?? '.') }
        : { task_id: options.task }),
      ...(options.description !== undefined && { description: options.description }),
      ...(options.continue && { on_failure: 'continue' as const }),
    })
    const { crew } = started
    const note = io.say(words.goesOn(crew.crew_id))
    if (options.detach) return { json: started, text: () => runTable(started.runs, io), note }
    if (!cx.global.json) io.stderr.write(`${io.say(words.started(crew.crew_id, started.runs.length))}\n`)
    const runs = await watch(hub, crew.crew_id, cx.global.json === true, io)
    const isOver = runs.every(run => run.ended_at !== null)
    const good = runs.every(run => run.status === 'completed')
    return {
      json: { crew, runs },
      text: () => [runTable(runs, io), results(runs, io)].filter(Boolean).join('\n\n'),
      ...(!isOver && { note }),
      code: good ? EXIT.done : EXIT.failed,
    }
  },
})

/** Until all have ended, or Ctrl-C. */
async function watch(hub: Connection, crewId: string, quiet: boolean, io: Io): Promise<CrewRunRecord[]> {
  const progress = quiet ? undefined : new CrewProgress(io)
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  process.once('SIGINT', stop)
  const actions = progress && new LastActions(hub, crewId, stopped.signal, seen => progress.showActions(seen))
  try {
    const shown = await followCrew(hub, crewId, stopped.signal, {
      changed({ runs }) {
        progress?.show(runs)
        actions?.stale()
      },
      progressed: () => actions?.stale(),
    })
    return shown.runs
  } finally {
    process.removeListener('SIGINT', stop)
    stop()
    progress?.clear()
  }
}

function milliseconds(value: string): number {
  const [, number, unit = 's'] = /^(\d{1,6})([smh]?)$/.exec(value) ?? []
  const factor = { s: 1000, m: 60_000, h: 3_600_000 }[unit || 's']
  if (number === undefined || factor === undefined || Number(number) === 0)
    throw CliError.USAGE({ text: words.durationWrong(value) })
  return Number(number) * factor
}
