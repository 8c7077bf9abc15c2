// Whether agents of an engine can be started at all, and what to say when not.
import type { Client } from '#client/api.ts'
import type { Text } from '#contract/errors.ts'

/** By this hub, or by a Runner elsewhere. */
export async function isStartable(hub: Client, engine: string): Promise<boolean> {
  const { engines } = await hub.call('engine.list', {})
  if (engines.some(one => one.engine === engine && one.program !== null && one.headless)) return true
  const { runners } = await hub.call('runner.list', {})
  return runners.some(runner => runner.revoked_at === null && runner.engines.includes(engine))
}

export const engineMissing = (engine: string): Text => ({
  en: `The hub finds no program for ${engine}, so that \`toryo up\` cannot start this agent; it can still sign in with its passkey. \`toryo engine list\` shows the engines there are.`,
  ja: `${engine} のプログラムが見つからないため、\`toryo up\` はこのエージェントを開始できません (パスキーでのサインインはできます)。使えるエンジンは \`toryo engine list\` で確認できます。`,
})
