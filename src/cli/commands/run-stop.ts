import { STATE_JA } from '#contract/state-words.ts'
import type { CrewRunRecord } from '#contract/records.ts'
import type { StoredEvent } from '#contract/events.ts'
import { command } from '../define.ts'
import { crewTexts } from '../texts-crew.ts'
import { findWork } from '../find-work.ts'
import { argument } from '../texts-help.ts'
import tabStop from './tab-stop.ts'

/** How long to wait for a run to end; the hub kills what is left after that. */
const WAIT_MS = 15_000

const words = {
  taken: (handle: string, status: string) => ({
    en: `Its agent is being ended; ${handle} is ${status}. \`toryo task start ${handle}\` has it worked on again.`,
    ja: `エージェントを終了しています。${handle} は「${STATE_JA[status] ?? status}」です。\`toryo task start ${handle}\` で再開できます。`,
  }),
  stopped: (run: string, status: string) => ({
    en: `${run} has ended: ${status}.`,
    ja: `${run} は終了しました: ${STATE_JA[status] ?? status}`,
  }),
}

export default command<[run: string]>({
  summary: { en: 'End a run and all that it started', ja: '実行とその子プロセスを終了' },
  order: 4,
  when: { en: 'When an agent goes the wrong way.', ja: 'エージェントが間違った方向へ進んでいるときに。' },
  about: {
    en: 'Ends the run with every process that it started. The task of a stopped agent goes back to todo, so that the agent is not started again; `toryo task start` resumes it. The worktree of a stopped tab stays.',
    ja: '実行と、そこから起動されたプロセスをすべて終了します。エージェントを止めたタスクは、再び起動されないよう「未着手」に戻ります。再開は `toryo task start` です。タブを止めても、ワークツリーは残ります。',
  },
  arguments: [{ name: '<run>', text: argument.run }],
  examples: [
    ['toryo run stop run_…', { en: 'with all that it started', ja: '起動したものすべてを含む' }],
    ['toryo run stop shop-12', { en: 'the agent on a task', ja: 'タスクのエージェント' }],
  ],
  output: ['execution.stop', 'run.stop', 'tab.stop'],
  async run(cx, _, given) {
    const { io } = cx
    const hub = await cx.connect()
    const runId = await findWork(hub, given)
    if (runId.startsWith('tab_')) return tabStop.run(cx, {}, runId)
    if (runId.startsWith('exec_')) {
      const execution = await hub.call('execution.stop', { execution_id: runId })
      const { handle, status } = await hub.call('task.show', { task_id: execution.task_id })
      return { json: execution, text: io.say(words.taken(handle, status)) }
    }
    let run = await hub.call('run.stop', { run_id: runId })
    if (run.ended_at === null)
      for await (const event of hub.events(undefined, AbortSignal.timeout(WAIT_MS))) {
        if (event && !isAbout(event, run)) continue
        run = await hub.call('run.show', { run_id: run.run_id })
        if (run.ended_at !== null) break
      }
    const said = run.ended_at === null ? crewTexts.stopping(runId) : words.stopped(runId, run.status)
    return { json: run, text: io.say(said) }
  },
})

function isAbout({ payload }: StoredEvent, run: CrewRunRecord): boolean {
  return (payload as { runId?: string }).runId === run.run_id
}
