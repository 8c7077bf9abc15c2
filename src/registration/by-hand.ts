// `toryo register` and `toryo unregister`: what a person asks for, with or without a hub.
import { type Env, userHome } from '#client/locate.ts'
import type { Owner, Registered } from './ledger.ts'
import { readLedger } from './ledger.ts'
import { type Outcome, outcomes } from './outcome.ts'
import { isSame, lifeOf, ownMark } from '#system/process-identity.ts'
import { Registrar } from './registrar.ts'
import { lifeOfState, readMcpState } from './mcp-state.ts'
import { chooseCommand, realPath } from './runtime.ts'

export type ByHand = {
  /** TORYO_HOME. */
  readonly home: string
  readonly env: Env
  /** This Toryo's, by which an entry is known whose record was lost. */
  readonly bridge?: string | undefined
}

const person: Owner = { kind: 'person' }

/** The entries stay until they are unregistered, whatever hubs come and go. Throws Unusable when there is nothing to enter. */
export async function registerByHand(place: ByHand, bridge: string): Promise<Outcome[]> {
  return registrarOf(place).add(person, await chooseCommand(bridge, place.env))
}

/** What it would do, and what it finds. Changes nothing. */
export async function previewRegister(place: ByHand, bridge: string): Promise<Outcome[]> {
  return registrarOf(place).previewAdd(person, await chooseCommand(bridge, place.env))
}

/** `ask` lets the hub of a database take out its own: no other may. False when none answers. */
export async function unregisterByHand(
  place: ByHand,
  ask: (db: string) => Promise<readonly Outcome[] | undefined>,
): Promise<Outcome[]> {
  const done: Outcome[] = []
  const held = readLedger(place.home).entries.filter(record => !isFree(record))
  for (const db of new Set(held.flatMap(({ owner }) => (owner.kind === 'hub' ? [owner.db] : [])))) {
    const told = await ask(db)
    if (told) done.push(...told)
    else for (const record of held) if (isOf(record, db)) done.push(outcomes.held(record, db))
  }
  const registrar = registrarOf(place)
  const removed = [...done, ...(await registrar.remove(isFree))]
  // With the ledger lost, only the state file says that a hub of this home has entries.
  const state = readMcpState(userHome(place.env))
  if (state?.home !== place.home || lifeOfState(state) === 'dead')
    return [...removed, ...(await registrar.removeLost())]
  const told = state.db === undefined ? undefined : await ask(state.db)
  return told ? [...removed, ...told, ...(await registrar.removeLost())] : removed
}

export function previewUnregister(place: ByHand): Outcome[] {
  return registrarOf(place).previewRemove(() => true)
}

function registrarOf({ home, env, bridge }: ByHand): Registrar {
  const isGone = (owner: { process: Parameters<typeof lifeOf>[0] }) => lifeOf(owner.process) !== 'alive'
  return new Registrar({ home, env, userHome: userHome(env), isGone, bridge: bridge && realPath(bridge) })
}

function isFree({ owner }: Registered): boolean {
  return owner.kind === 'person' || lifeOf(owner.process) !== 'alive'
}

function isOf({ owner }: Registered, db: string): boolean {
  return owner.kind === 'hub' && owner.db === db
}

/** One file alone, as a person asked for it. Undefined: no agent program reads this file. */
export async function applyToFile(
  place: ByHand,
  bridge: string,
  file: string,
  action: 'enter' | 'take_out',
): Promise<Outcome | undefined> {
  const registrar = registrarOf(place)
  if (action === 'enter') return (await registrar.add(person, await chooseCommand(bridge, place.env), file)).at(-1)
  const removed = await registrar.remove(record => record.file === file && isOwnToRemove(record))
  return removed.at(-1) ?? (await registrar.removeLost(one => one === file)).at(-1)
}

/** What that would change. Changes nothing. */
export async function previewFile(
  place: ByHand,
  bridge: string,
  file: string,
  action: 'enter' | 'take_out',
): Promise<Outcome | undefined> {
  if (action === 'take_out') return previewTakeOut(place).find(one => one.file === file)
  return (await previewRegister(place, bridge)).find(one => one.file === file)
}

/** What can be taken out by this process: not the entry of another hub that runs. */
export function previewTakeOut(place: ByHand): Outcome[] {
  return registrarOf(place).previewRemove(isOwnToRemove)
}

function isOwnToRemove(record: Registered): boolean {
  return isFree(record) || (record.owner.kind === 'hub' && isSame(record.owner.process, ownMark()))
}
