import { prepareTarget } from '#client/trusted-path.ts'
import { previewRegister, registerByHand } from '#registration/by-hand.ts'
import { command } from '../define.ts'
import { asRefusal, bridgeProgram, registrationAnswer } from '../registration-text.ts'
import { option } from '../texts-help.ts'

const words = {
  nothingToRegister: {
    en: 'No engine that Toryo knows is installed or has a config file; nothing to do.',
    ja: '対応するエンジンもその設定ファイルも見つかりません。何もしていません。',
  },
}

export default command<[], { dryRun?: boolean }>({
  summary: {
    en: "Enter the MCP server in the engines' config files",
    ja: '各エンジンの設定に MCP サーバーを登録',
  },
  group: 'more',
  order: 20,
  when: {
    en: "When an agent program does not see Toryo's tools.",
    ja: 'エージェントのプログラムに Toryo のツールが出ないときに。',
  },
  about: {
    en: '`toryo up` does this automatically and undoes it when it stops; what is registered here stays until `toryo unregister`. Only our own entry, gwt-agent-bridge, is added: every other byte of the files stays as it is. The entry leads to whichever hub `toryo up` runs, and starts none.',
    ja: '`toryo up` は自分で登録し、終了時に取り消します。このコマンドの登録は `toryo unregister` まで残ります。追加するのは gwt-agent-bridge の項目だけで、ファイルの他の部分は 1 バイトも変えません。登録された項目は `toryo up` のハブに接続し、ハブを起動することはありません。',
  },
  options: [{ flags: '--dry-run', text: option.dryRun }],
  examples: [
    ['toryo register --dry-run', { en: 'show the changes, make none', ja: '変更点だけを表示' }],
    ['toryo register', { en: 'for good, until `toryo unregister`', ja: '`toryo unregister` まで登録' }],
  ],
  output: 'registration',
  async run(cx, { dryRun }) {
    const target = cx.target()
    const place = { home: target.home, env: cx.io.env, bridge: bridgeProgram(cx) }
    try {
      if (dryRun)
        return registrationAnswer(cx, await previewRegister(place, bridgeProgram(cx)), words.nothingToRegister)
      prepareTarget(target)
      return registrationAnswer(cx, await registerByHand(place, bridgeProgram(cx)), words.nothingToRegister)
    } catch (cause) {
      throw asRefusal(cause)
    }
  },
})
