import { prepareTarget } from '#client/trusted-path.ts'
import { previewRegister, registerByHand } from '#registration/by-hand.ts'
import { command } from '../define.ts'
import { asRefusal, bridgeProgram, registrationAnswer } from '../registration-text.ts'
import { about, option } from '../texts-help.ts'

export default command<[], { dryRun?: boolean }>({
  about: about.register,
  options: [{ flags: '--dry-run', text: option.dryRun }],
  examples: [
    ['toryo register --dry-run', { en: 'show the changes, make none', ja: '変更点だけを表示' }],
    ['toryo register', { en: 'for good, until `toryo unregister`', ja: '`toryo unregister` まで登録' }],
  ],
  async run(cx, { dryRun }) {
    const target = cx.target()
    const place = { home: target.home, env: cx.io.env, bridge: bridgeProgram(cx) }
    try {
      if (dryRun) return registrationAnswer(cx, await previewRegister(place, bridgeProgram(cx)), 'nothingToRegister')
      prepareTarget(target)
      return registrationAnswer(cx, await registerByHand(place, bridgeProgram(cx)), 'nothingToRegister')
    } catch (cause) {
      throw asRefusal(cause)
    }
  },
})
