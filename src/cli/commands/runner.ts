import path from 'node:path'
import { noticeText } from '#runner/notice.ts'
import { command } from '../define.ts'
import { CliError, EXIT } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { about } from '../texts-help.ts'
import { runnerTexts } from '../texts-runner.ts'
import { tokenFor } from '../connect.ts'

export default command({
  about: about.runner,
  examples: [
    [
      'toryo runner --url https://hub.example:4747 --token-file runner.token',
      { en: 'on the machine where agents shall work', ja: 'エージェントを動かす機械で' },
    ],
  ],
  async run(cx) {
    const { io, global } = cx
    if (global.url === undefined) throw CliError.USAGE({ text: runnerTexts.onlyElsewhere })
    const { url, token } = tokenFor(global, io)
    const { serve } = await import('#runner/main.ts')
    const say = (line: string) => void io.stderr.write(`${visibleLine(line)}\n`)
    say(io.say(runnerTexts.connecting(url)))
    const why = await serve({
      url,
      token,
      version: cx.version,
      lang: io.lang,
      env: io.env,
      bridge: path.join(path.dirname(cx.hubProgram), 'bridge.js'),
      notice: notice => say(io.say(noticeText(notice))),
    })
    if (why === 'stopped') return EXIT.done
    throw CliError.REFUSED({ text: runnerTexts.refused })
  },
})
