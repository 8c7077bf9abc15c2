// The doctor's look at the engines' config files: who is registered there, and what stands in the way. Changes nothing.
import type { Target } from '#client/locate.ts'
import { userHome } from '#client/locate.ts'
import { previewRegister } from '#registration/by-hand.ts'
import { Unusable } from '#registration/format.ts'
import { lifeOfState, mcpStatePath, readMcpState } from '#registration/mcp-state.ts'
import type { Outcome } from '#registration/outcome.ts'
import type { Context } from '../context.ts'
import { bridgeProgram } from '../registration-text.ts'
import { doctorTexts } from '../texts-doctor.ts'
import { type Finding, refusal } from './finding.ts'

const CHECK = 'registration'
/** Its entry is there, however it was made. */
const ENTERED: ReadonlySet<Outcome['state']> = new Set(['present', 'updated', 'repaired'])

export async function registrationFindings(cx: Context, { home }: Target): Promise<Finding[]> {
  try {
    const outcomes = await previewRegister({ home, env: cx.io.env }, bridgeProgram(cx))
    const anyone = outcomes.some(({ state }) => ENTERED.has(state))
    return [...outcomes.flatMap(finding), ...(anyone ? stateFindings(cx) : [])]
  } catch (problem) {
    if (problem instanceof Unusable) return [{ check: CHECK, level: 'warn', text: problem.text }]
    return [refusal(CHECK, problem)]
  }
}

function finding({ state, file, text, warning }: Outcome): Finding[] {
  if (state === 'absent') return []
  if (state === 'added') return [{ check: CHECK, level: 'ok', text: doctorTexts.registrationNone(file) }]
  if (state === 'repaired')
    return [
      { check: CHECK, level: 'warn', text: doctorTexts.registrationLeft(file), fix: doctorTexts.registrationLeftFix },
    ]
  if (state === 'updated') {
    const fix = doctorTexts.run('toryo register')
    return [{ check: CHECK, level: 'warn', text: doctorTexts.registrationOld(file), fix }]
  }
  if (state === 'skipped') return [{ check: CHECK, level: 'warn', text, fix: doctorTexts.registrationFix }]
  return [{ check: CHECK, level: warning ? 'warn' : 'ok', text }]
}

function stateFindings({ io }: Context): Finding[] {
  const home = userHome(io.env)
  const state = readMcpState(home)
  if (!state) return []
  const file = mcpStatePath(home)
  if (lifeOfState(state) === 'dead') return [{ check: CHECK, level: 'ok', text: doctorTexts.stateStale(file) }]
  return [{ check: CHECK, level: 'ok', text: doctorTexts.registeredHub(state.pid, state.url) }]
}
