// A bridge that an engine started because of our entry in its config file: is there a hub at all? When the entry was left by a
// hub that has provably ended, it is taken out; in every other case nothing is touched.
import fs from 'node:fs'
import type { Text } from '#contract/errors.ts'
import { type Env, toryoHome, userHome } from '#client/locate.ts'
import { askProof, singleConnection } from '#client/proof.ts'
import { ledgerPath } from '#registration/ledger.ts'
import { lifeOfState, type McpState, readMcpState } from '#registration/mcp-state.ts'
import { lifeOf } from '#system/process-identity.ts'

const PROBE_MS = 3000

/** Undefined when a hub is there, or may be; else what there is to say. */
export async function findAbsence(env: Env): Promise<Text | undefined> {
  const state = readMcpState(userHome(env))
  const life = state ? lifeOfState(state) : 'dead'
  if (state && (life === 'alive' || (life === 'unknown' && (await proves(state))))) return undefined
  // Of another machine or container nothing can be proven.
  const removed = life === 'dead' ? await clearStale(env, state?.home) : []
  const where = removed.join(', ')
  return {
    en: `No hub runs; \`toryo up\` starts one.${where && ` Its entry, left after a crash, was removed from ${where}.`}`,
    ja: `ハブは動いていません。\`toryo up\` で起動できます。${where && `異常終了で残っていた登録を ${where} から削除しました。`}`,
  }
}

/** A hub that was there has provably ended and none has followed it: what it left in the config files is taken out. */
export async function clearAfter(env: Env): Promise<Text | undefined> {
  const state = readMcpState(userHome(env))
  if (!state || lifeOfState(state) !== 'dead') return undefined
  const removed = await clearStale(env, state.home)
  const where = removed.join(', ')
  if (where === '') return undefined
  return {
    en: `The hub has ended without cleaning up. Its entry was removed from ${where}; \`toryo up\` registers it again.`,
    ja: `ハブが異常終了したため、残っていた登録を ${where} から削除しました。\`toryo up\` で再び登録されます。`,
  }
}

async function clearStale(env: Env, home: string | undefined): Promise<string[]> {
  const removed: string[] = []
  for (const place of new Set([home ?? toryoHome(env), toryoHome(env)])) {
    if (!fs.existsSync(ledgerPath(place))) continue
    try {
      // Only now: most bridges find their hub and need none of it.
      const { Registrar } = await import('#registration/registrar.ts')
      const isGone = (owner: { process: Parameters<typeof lifeOf>[0] }) => lifeOf(owner.process) === 'dead'
      const registrar = new Registrar({ home: place, env, userHome: userHome(env), isGone })
      const outcomes = await registrar.remove(({ owner }) => owner.kind === 'hub' && isGone(owner), true)
      removed.push(...outcomes.flatMap(({ state, file }) => (state === 'removed' ? [file] : [])))
    } catch {
      // Not ours to trust, or a full disk: the next hub sees to it, and says so.
    }
  }
  return removed
}

async function proves({ url, token, certificate }: McpState): Promise<boolean> {
  const agent = singleConnection(url, { certificate })
  try {
    await askProof(url, token, agent, PROBE_MS)
    return true
  } catch {
    return false
  } finally {
    agent.destroy()
  }
}
