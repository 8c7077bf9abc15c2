// The doctor's look at the hub: its state file, its lock, whether it answers, and its database.
import fs from 'node:fs'
import type { Target } from '#client/locate.ts'
import { findHub } from '#client/start-hub.ts'
import { readState } from '#client/state-file.ts'
import type { Context } from '../context.ts'
import { type Finding, refusal } from './finding.ts'
import { octal } from './machine.ts'
import { localTime } from '../format.ts'
import { isAlive } from '#system/processes.ts'
import { holdHubLock, isToryoDatabase } from '../sqlite-file.ts'
import { doctorTexts } from '../texts-doctor.ts'

export async function hubFindings(target: Target, version: string): Promise<Finding[]> {
  try {
    const hub = await findHub(target)
    if (!hub) return withoutHub(target)
    const findings: Finding[] = [
      { check: 'state', level: 'ok', text: doctorTexts.stateOk(target.statePath) },
      { check: 'lock', level: 'ok', text: doctorTexts.lockHeld(target.lockPath) },
      { check: 'hub', level: 'ok', text: doctorTexts.hubOk(hub.version, hub.pid, hub.url) },
    ]
    if (hub.version === version) return findings
    const fix = doctorTexts.run('toryo stop')
    return [...findings, { check: 'version', level: 'warn', text: doctorTexts.hubOther(hub.version, version), fix }]
  } catch (problem) {
    return [refusal('state', problem)]
  }
}

async function withoutHub(target: Target): Promise<Finding[]> {
  const state = readState(target)
  const deaf = state !== undefined && isAlive(state.pid) && !(await lockIsFree(target))
  if (deaf)
    return [
      { check: 'hub', level: 'fail', text: doctorTexts.hubDeaf(state.pid), fix: doctorTexts.hubDeafFix(state.pid) },
    ]
  return [
    { check: 'state', level: 'ok', text: stateText(target, state !== undefined) },
    (await lockIsFree(target))
      ? { check: 'lock', level: 'ok', text: doctorTexts.lockFree(target.lockPath) }
      : {
          check: 'lock',
          level: 'fail',
          text: doctorTexts.lockStolen(target.lockPath),
          fix: doctorTexts.lockFix(target.lockPath),
        },
    { check: 'hub', level: 'ok', text: doctorTexts.hubNone },
  ]
}

function stateText(target: Target, known: boolean) {
  if (known) return doctorTexts.stateStale(target.statePath)
  return fs.existsSync(target.statePath) ? doctorTexts.stateForeign(target.statePath) : doctorTexts.stateNone
}

/** Takes it for an instant. A hub that starts in that instant is started again by the next caller that needs it. */
async function lockIsFree({ lockPath }: Target): Promise<boolean> {
  if (!fs.existsSync(lockPath)) return true
  const lock = await holdHubLock(lockPath)
  lock?.release()
  return lock !== undefined
}

/** Opening a database is the hub's work: one is started when none runs, unless there is nothing to open. */
export async function databaseFindings(cx: Context, target: Target): Promise<Finding[]> {
  const check = 'database'
  if (target.kind === 'sqlite') {
    const stats = fs.statSync(target.db, { throwIfNoEntry: false })
    if (!stats) return [{ check, level: 'ok', text: doctorTexts.dbNew(target.db) }]
    const foreign = !stats.isFile() || !isToryoDatabase(target.db)
    if (foreign) return [{ check, level: 'fail', text: doctorTexts.dbForeign(target.db), fix: doctorTexts.dbFix }]
    const fix = doctorTexts.run(`chmod 600 ${target.db}`)
    const open = process.getuid !== undefined && (stats.mode & 0o077) !== 0
    const warning: Finding = { check, level: 'warn', text: doctorTexts.dbOpen(target.db, octal(stats.mode)), fix }
    return [...(await answers(cx, target)), ...(open ? [warning] : [])]
  }
  return answers(cx, target)
}

async function answers(cx: Context, target: Target): Promise<Finding[]> {
  try {
    const hub = await cx.connect()
    const { last_event: event, pauses } = await hub.call('hub.status', {})
    return [
      { check: 'database', level: 'ok', text: doctorTexts.dbOk(target.shownDb, event) },
      ...pauses.map(
        ({ engine, until, reason }): Finding => ({
          check: 'pause',
          level: 'warn',
          text: doctorTexts.paused(engine, localTime(until), reason),
          fix: doctorTexts.pauseFix(engine),
        }),
      ),
    ]
  } catch (problem) {
    return [refusal('database', problem, doctorTexts.hubFix)]
  }
}
