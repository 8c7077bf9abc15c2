// Whether agents of an engine can be started at all, and what to say when not.
import type { Client } from '#client/api.ts'
import type { Text } from '#contract/errors.ts'
import { CliError } from './errors.ts'

/** By this hub, or by a Runner elsewhere that is there. */
export async function isStartable(hub: Client, engine: string): Promise<boolean> {
  const { engines } = await hub.call('engine.list', {})
  if (engines.some(one => one.engine === engine && one.program !== null && one.headless)) return true
  const { runners: present } = await hub.call('hub.status', {})
  const { runners } = await hub.call('runner.list', {})
  return runners.some(({ name, engines: has }) => present.includes(name) && has.includes(engine))
}

export const engineMissing = (engine: string): Text => ({
  en: `The hub finds no program for ${engine}, so that \`toryo up\` cannot start this agent; it can still sign in with its passkey. Use \`toryo engine list\` to list the engines.`,
  ja: `${engine} のプログラムが見つからないため、\`toryo up\` はこのエージェントを開始できません (パスキーでのサインインはできます)。使えるエンジンは \`toryo engine list\` で確認できます。`,
})

/** Refuses what is one slip away from an engine that is known. Another name may be one of a Runner elsewhere. */
export async function refuseTypo(hub: Client, engine: string): Promise<void> {
  const { engines } = await hub.call('engine.list', {})
  const { runners } = await hub.call('runner.list', {})
  const known = [...new Set([...engines.map(one => one.engine), ...runners.flatMap(runner => runner.engines)])]
  if (known.includes(engine)) return
  const meant = known.find(one => one.toLowerCase() === engine.toLowerCase() || distance(one, engine) <= SLIPS)
  if (meant === undefined) return
  throw CliError.USAGE({
    text: {
      en: `Engine ${JSON.stringify(engine)} not found. Did you mean ${meant}? Use \`toryo engine list\` to list them.`,
      ja: `エンジン ${JSON.stringify(engine)} はありません。もしかして: ${meant}。\`toryo engine list\` で一覧を確認できます。`,
    },
  })
}

const SLIPS = 2

/** How many letters must be changed, added, left out or swapped. */
export function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, at) => [at, ...Array<number>(b.length).fill(0)])
  for (let at = 0; at <= b.length; at++) (rows[0] as number[])[at] = at
  const cell = (x: number, y: number) => rows[x]?.[y] ?? Number.POSITIVE_INFINITY
  for (let x = 1; x <= a.length; x++)
    for (let y = 1; y <= b.length; y++) {
      const same = a[x - 1] === b[y - 1] ? 0 : 1
      const swapped = a[x - 1] === b[y - 2] && a[x - 2] === b[y - 1] ? cell(x - 2, y - 2) + 1 : Number.POSITIVE_INFINITY
      ;(rows[x] as number[])[y] = Math.min(cell(x - 1, y) + 1, cell(x, y - 1) + 1, cell(x - 1, y - 1) + same, swapped)
    }
  return cell(a.length, b.length)
}
