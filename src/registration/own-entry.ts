// Recognises an entry as ours by its content when our ledger has lost it, and checks whether another home's ledger has it.
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Env, toryoHome } from '#client/locate.ts'
import { TORYO_HOME } from '#system/environment-names.ts'
import { digest } from './entry-edit.ts'
import type { Entry } from './format.ts'
import { type Owner, readLedger, type Registered } from './ledger.ts'
import { readMcpState } from './mcp-state.ts'
import { lifeOf } from '#system/process-identity.ts'
import type { ConfigTarget } from './targets.ts'

const RUNTIME = /^(?:node|bun)(?:\.exe)?$/
/** As the package is installed, wherever and by whatever. */
const BRIDGE = /[\\/]toryo[\\/]dist[\\/]bridge\.js$/

/**
 * The record that the ledger would have. Undefined for an entry that says anything else than ours would: our name, node or bun,
 * and the bridge of a Toryo as its only argument. `bridge` is the one of this Toryo.
 */
export function recordOf(
  target: ConfigTarget,
  text: string,
  owner: Owner,
  bridge: string | undefined,
): Registered | undefined {
  const { engine, file, format } = target
  const found = format.find(text)
  if (!found || found.repeated || typeof found.value !== 'object' || found.value === null) return undefined
  const { command, args } = found.value as Record<string, unknown>
  const [runtime, program, ...more] = [command, args].flat().filter(word => word !== undefined)
  if (typeof runtime !== 'string' || typeof program !== 'string' || more.length > 0) return undefined
  if (!path.isAbsolute(runtime) || !RUNTIME.test(path.basename(runtime))) return undefined
  if (!path.isAbsolute(program) || (program !== bridge && !BRIDGE.test(program))) return undefined
  if (!isDeepStrictEqual(found.value, target.entry({ runtime, bridge: program }))) return undefined
  const entry = found.value as Entry
  // A file that is to the byte as we make one is one that we made.
  const madeFile = text === format.fresh(entry)
  const place = { at: found.at, inserted: [], after: digest(text), madeHolder: madeFile, madeFile, madeFolder: false }
  return { engine, file, owner, entry, ...place }
}

/** Whether a hub that runs, or a person, has registered it from another TORYO_HOME. */
export function claimedElsewhere(home: string, env: Env, userHome: string): (file: string) => boolean {
  const { [TORYO_HOME]: _, ...usual } = env
  const homes = [readMcpState(userHome)?.home, toryoHome(usual)].filter(one => one !== undefined && one !== home)
  const records = [...new Set(homes)].flatMap(one => readLedger(one as string).entries)
  const live = records.filter(({ owner }) => owner.kind === 'person' || lifeOf(owner.process) !== 'dead')
  return file => live.some(record => record.file === file)
}
