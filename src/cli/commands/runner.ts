import path from 'node:path'
import { noticeText } from '#runner/notice.ts'
import { command } from '../define.ts'
import { CliError, EXIT } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { tokenFor } from '../connect.ts'

const words = {
  connecting: (url: string) => ({
    en: `Starting agents for ${url}; Ctrl-C stops.`,
    ja: `${url} のエージェントを動かします。Ctrl-C で終了します。`,
  }),
}

export default command({
  summary: {
    en: 'Start agents here for a hub elsewhere; its tokens',
    ja: '別の場所のハブのエージェントをここで動かす (トークンの管理も)',
  },
  group: 'hub',
  order: 14,
  when: {
    en: 'On another machine, when agents should work there, too.',
    ja: '別のマシンでもエージェントを動かすときに。',
  },
  about: {
    en: '`toryo up` brings a Runner along; this one is for other machines. Give it the address of the hub and a file with what `toryo runner token <name>` printed there. Engines and time limits come from the configuration of this machine; a project is worked on in the folder of the same path here. Ctrl-C stops all agents that it started. Exit code 4 when the hub refuses the token.',
    ja: '`toryo up` は Runner を含んでいます。このコマンドは別のマシンで使うものです。ハブのアドレスと、ハブで `toryo runner token <名前>` が表示した値を入れたファイルを指定してください。エンジンと時間制限はこのマシンの設定に従い、プロジェクトはこのマシンの同じパスのフォルダーで作業します。Ctrl-C で、開始した全エージェントを止めます。ハブがトークンを拒否すると終了コード 4 です。',
  },
  examples: [
    [
      'toryo runner --url https://hub.example:4747 --token-file runner.token',
      { en: 'on the machine where agents shall work', ja: 'エージェントを動かすマシンで' },
    ],
  ],
  output: null,
  async run(cx) {
    const { io, global } = cx
    if (global.url === undefined)
      throw CliError.USAGE({
        text: {
          en: '`toryo up` brings a Runner for this machine along. For a hub elsewhere give --url and --token-file.',
          ja: 'このマシンの Runner は `toryo up` に含まれています。別の場所のハブには --url と --token-file を指定してください。',
        },
      })
    const { url, token } = tokenFor(global, io)
    const { serve } = await import('#runner/main.ts')
    const say = (line: string) => void io.stderr.write(`${visibleLine(line)}\n`)
    say(io.say(words.connecting(url)))
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
    throw CliError.REFUSED({
      text: {
        en: 'The hub refuses this token; `toryo runner token <name>` there makes a new one.',
        ja: 'ハブがこのトークンを拒否しました。ハブで `toryo runner token <名前>` を実行すると新しく作れます。',
      },
    })
  },
})
