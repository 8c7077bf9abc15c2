import { findHub } from '#client/start-hub.ts'
import { readState } from '#client/state-file.ts'
import type { ApiOutput } from '#contract/api.ts'
import { command } from '../define.ts'
import { EXIT } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { bytes, moment, pairs } from '../format.ts'
import type { Io } from '../io.ts'
import { isAlive } from '../process-alive.ts'
import { about } from '../texts-help.ts'
import { runnerTexts } from '../texts-runner.ts'
import { texts } from '../texts.ts'

export default command({
  about: about.status,
  examples: [['toryo status --json', { en: 'running, pid, url, db, version', ja: 'running、pid、url、db、version' }]],
  async run(cx) {
    const { io } = cx
    if (cx.global.url === undefined) {
      const target = cx.target()
      if (!(await findHub(target))) {
        const pid = readState(target)?.pid
        const next = pid !== undefined && isAlive(pid) ? texts.deaf(pid) : texts.hubComes
        return {
          json: { running: false, pid: null, url: null, db: target.shownDb, version: null },
          text: `${io.say(texts.notRunning(target.shownDb))}\n${io.say(next)}`,
          code: EXIT.unreachable,
        }
      }
    }
    const hub = await cx.connectRunning()
    const status = await hub.call('hub.status', {})
    return { json: { running: true, ...status }, text: () => text(status, io) }
  },
})

function text(status: ApiOutput<'hub.status'>, io: Io): string {
  const where = io.say(status.background ? texts.background : texts.foreground)
  const facts = pairs(
    [
      [io.say(texts.address), status.url],
      [io.say(texts.database), visibleLine(status.db)],
      [io.say(texts.process), `${status.pid}, ${where}`],
      [io.say(texts.since), moment(status.started_at, io)],
      [io.say(texts.connections), String(status.connections)],
      [io.say(texts.memory), bytes(status.rss_bytes)],
      [io.say(texts.lastEvent), String(status.last_event)],
      [io.say(runnerTexts.runners), status.runners.map(visibleLine).join(', ')],
      [io.say(runnerTexts.instances), status.instances > 0 ? String(status.instances) : ''],
      [io.say(runnerTexts.paused), status.pauses.map(pause => pauseLine(pause, io)).join('\n')],
    ],
    io,
  )
  return `${io.colors.green('●')} ${io.colors.bold(`Toryo ${status.version}`)} ${io.say(texts.running)}\n${facts}`
}

function pauseLine({ engine, until, reason }: ApiOutput<'hub.status'>['pauses'][number], io: Io): string {
  return io.colors.yellow(io.say(runnerTexts.pausedUntil(visibleLine(engine), moment(until, io), visibleLine(reason))))
}
