import { setTimeout as sleep } from 'node:timers/promises'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { isAlive } from '../process-alive.ts'
import { slowly } from '../slowly.ts'
import { texts } from '../texts.ts'

/** A hub with agents at work, in terminals or not, ends them first, which may take 15 s and more. */
const PATIENCE_MS = 40_000
const POLL_MS = 30

export default command({
  examples: [['toryo stop --db ~/team.db', { en: 'the hub of that database', ja: 'そのデータベースのハブ' }]],
  async run(cx) {
    const { io } = cx
    const hub = await cx.connectRunning()
    const { pid } = await hub.call('hub.status', {})
    await hub.call('hub.stop', {})
    // Its number says nothing here when it runs on another machine.
    if (cx.global.url !== undefined) return { json: { stopping: true, pid }, text: io.say(texts.stopping(hub.url)) }
    await slowly(cx, texts.waitingForEnd, () => ended(pid))
    return { json: { stopped: true, pid }, text: io.say(texts.stopped(pid)) }
  },
})

async function ended(pid: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (isAlive(pid)) {
    if (performance.now() > deadline) throw CliError.FAILED({ text: texts.stillRunning(pid, PATIENCE_MS / 1000) })
    await sleep(POLL_MS)
  }
}
