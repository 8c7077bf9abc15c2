import { findHub } from '#client/start-hub.ts'
import { readState } from '#client/state-file.ts'
import type { ApiOutput } from '#contract/api.ts'
import { command } from '../define.ts'
import { EXIT } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { bytes, moment, pairs } from '../format.ts'
import type { Io } from '../io.ts'
import { isAlive } from '#system/processes.ts'

const words = {
  noRunner: {
    en: 'none: no agent is started until `toryo up` or `toryo runner` runs',
    ja: 'なし (`toryo up` か `toryo runner` を起動するまで、エージェントは起動しません)',
  },
  pausedUntil: (engine: string, until: string, reason: string) => ({
    en: `${engine} until ${until}: ${reason}`,
    ja: `${engine} (${until} まで): ${reason}`,
  }),
  notRunning: (db: string) => ({ en: `No hub runs for ${db}.`, ja: `${db} のハブは動いていません。` }),
  deaf: (pid: number) => ({
    en: `Process ${pid} should be its hub but does not answer. \`toryo doctor\` looks closer.`,
    ja: `プロセス ${pid} がハブのはずですが、応答しません。\`toryo doctor\` で調べられます。`,
  }),
}

export default command({
  summary: { en: 'Show the hub that runs', ja: '動いているハブを表示' },
  group: 'hub',
  order: 3,
  when: {
    en: 'To see whether a hub runs here, and on which database.',
    ja: 'ハブが動いているか、どのデータベースかを確認するときに。',
  },
  about: { en: 'Exit code 3 when no hub runs.', ja: 'ハブが動いていなければ終了コード 3 です。' },
  examples: [['toryo status --json', { en: 'running, pid, url, db, version', ja: 'running、pid、url、db、version' }]],
  output: 'status',
  async run(cx) {
    const { io } = cx
    if (cx.global.url === undefined) {
      const target = cx.target()
      if (!(await findHub(target))) {
        const pid = readState(target)?.pid
        const next =
          pid !== undefined && isAlive(pid)
            ? words.deaf(pid)
            : {
                en: '`toryo up` runs one here; other commands start one in the background when they need it.',
                ja: 'フォアグラウンドで動かすには `toryo up` を使います。他のコマンドは、必要なときにバックグラウンドで起動します。',
              }
        return {
          json: { running: false, pid: null, url: null, db: target.shownDb, version: null },
          text: `${io.say(words.notRunning(target.shownDb))}\n${io.say(next)}`,
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
  const where = io.say(
    status.background || status.left
      ? { en: 'in the background', ja: 'バックグラウンドで動作中' }
      : { en: 'in the foreground', ja: 'フォアグラウンドで動作中' },
  )
  const facts = pairs(
    [
      [io.say({ en: 'address', ja: 'アドレス' }), status.url],
      [io.say({ en: 'database', ja: 'データベース' }), visibleLine(status.db)],
      [io.say({ en: 'process', ja: 'プロセス' }), `${status.pid}, ${where}`],
      [io.say({ en: 'since', ja: '開始' }), moment(status.started_at, io)],
      [io.say({ en: 'connections', ja: '接続数' }), String(status.connections)],
      [io.say({ en: 'memory', ja: '使用メモリ' }), bytes(status.rss_bytes)],
      [io.say({ en: 'last event', ja: '最新イベント' }), String(status.last_event)],
      [
        io.say({ en: 'runners', ja: 'Runner' }),
        status.runners.map(visibleLine).join(', ') || io.colors.yellow(io.say(words.noRunner)),
      ],
      [
        io.say({ en: 'agents at work', ja: '作業中のエージェント' }),
        status.instances > 0 ? String(status.instances) : '',
      ],
      [io.say({ en: 'paused', ja: '一時停止中' }), status.pauses.map(pause => pauseLine(pause, io)).join('\n')],
    ],
    io,
  )
  return `${io.colors.green('●')} ${io.colors.bold(`Toryo ${status.version}`)} ${io.say({ en: 'running', ja: '稼働中' })}\n${facts}`
}

function pauseLine({ engine, until, reason }: ApiOutput<'hub.status'>['pauses'][number], io: Io): string {
  return io.colors.yellow(io.say(words.pausedUntil(visibleLine(engine), moment(until, io), visibleLine(reason))))
}
