import { setTimeout as sleep } from 'node:timers/promises'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { isAlive } from '#system/processes.ts'
import { slowly } from '../slowly.ts'

/** A hub ends its agents and tabs first: 15 s and more, and near a minute when the host of its terminals hangs. */
const PATIENCE_MS = 90_000
const POLL_MS = 30

const words = {
  stopped: (pid: number) => ({ en: `Stopped the hub (process ${pid}).`, ja: `ハブを止めました (プロセス ${pid})。` }),
  stopping: (url: string) => ({ en: `The hub at ${url} is stopping.`, ja: `${url} のハブは終了中です。` }),
  stillRunning: (pid: number, seconds: number) => ({
    en: `The hub (process ${pid}) was asked to stop and still runs after ${seconds} s. \`toryo logs\` shows what it is doing.`,
    ja: `ハブ (プロセス ${pid}) に終了を求めましたが、${seconds} 秒たっても動いています。\`toryo logs\` で状況を確認できます。`,
  }),
}

export default command({
  summary: { en: 'Stop the hub and all that it started', ja: 'ハブと、ハブが起動したものをすべて止める' },
  group: 'hub',
  order: 4,
  when: {
    en: 'When you are done: ends the hub, its agents, crews and tabs.',
    ja: '作業を終えるときに。ハブ・エージェント・クルー・タブを終了。',
  },
  about: {
    en: 'Ends everything that the hub started: agents at work, runs of crews, and tabs with their programs. Tasks, branches and worktrees stay; work that was under way is started again by the next `toryo up`. `toryo run list --open` shows what would end.',
    ja: 'ハブが起動したもの (作業中のエージェント、クルーの実行、タブとそのプログラム) をすべて終了します。タスク、ブランチ、ワークツリーは残り、途中の作業は次の `toryo up` で再開します。終了するものは `toryo run list --open` で確認できます。',
  },
  examples: [['toryo stop --db ~/team.db', { en: 'the hub of that database', ja: 'そのデータベースのハブ' }]],
  output: 'stop',
  async run(cx) {
    const { io } = cx
    const hub = await cx.connectRunning()
    const { pid } = await hub.call('hub.status', {})
    await hub.call('hub.stop', {})
    // Its number says nothing here when it runs on another machine.
    if (cx.global.url !== undefined) return { json: { stopping: true, pid }, text: io.say(words.stopping(hub.url)) }
    await slowly(
      cx,
      {
        en: 'Ending agents, runs and tabs first …',
        ja: 'エージェント、実行、タブを先に終了しています…',
      },
      () => ended(pid),
    )
    return { json: { stopped: true, pid }, text: io.say(words.stopped(pid)) }
  },
})

async function ended(pid: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (isAlive(pid)) {
    if (performance.now() > deadline) throw CliError.FAILED({ text: words.stillRunning(pid, PATIENCE_MS / 1000) })
    await sleep(POLL_MS)
  }
}
