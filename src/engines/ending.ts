// From what a program wrote and how its process ended to the one reason that people are given. What the program said of trouble
// counts more than the limit that we ended it by, and both count more than its exit code.
import { type EndKind, type RunEnd, runEnd } from '#contract/run-end.ts'
import type { Ending } from '#kernel/processes/supervise.ts'
import type { Engine } from './engine.ts'
import type { Facts, Quota } from './facts.ts'
import { judge } from './judge.ts'
import type { Reader } from './reader.ts'

export type EndedBy = Pick<Ending, 'cause' | 'code' | 'signal'> & {
  /** It was ended from outside, for this reason. */
  stopped?: EndKind | undefined
  /** It was in trouble for so long that we gave it up. */
  gaveUp?: boolean
}

export type Ends = {
  /** As far as the program alone knows: `no-report` where it ended in order. */
  end: RunEnd
  /** The account that it uses has nothing left now. */
  quota: Quota | undefined
}

/** In minutes, and the settings that they come from. */
export type EndLimits = Record<'total' | 'silence', { minutes: number; setting: string }>

type Program = Pick<Engine, 'id' | 'label' | 'programs' | 'capabilities'>

/** Its time was up, by one of our limits or another. */
const OUT_OF_TIME = new Set<EndKind | undefined>(['silence', 'time-limit', 'no-sign-in'])

export function endOf(
  engine: Program,
  { facts, lastWords }: Pick<Reader, 'facts' | 'lastWords'>,
  by: EndedBy,
  limits: EndLimits,
): Ends {
  const trouble = facts.trouble ?? facts.quota?.message
  const quota = facts.troubled ? facts.quota : undefined
  const verdict = judge(engine.capabilities, facts, by)
  const ours = by.stopped ?? (by.cause === 'silence' || by.cause === 'time-limit' ? by.cause : undefined)
  const end = (kind: EndKind, more: Omit<RunEnd, 'kind'> = {}) =>
    runEnd(kind, {
      label: engine.label,
      engine: engine.id,
      ...(engine.programs[0] !== undefined && { command: baseName(engine.programs[0]) }),
      denied: [...facts.deniedTools],
      ...more,
    })
  // A program that tries again for hours is not slow; it is refused.
  if ((by.gaveUp || OUT_OF_TIME.has(ours)) && facts.troubled && trouble !== undefined)
    return { end: end(kindOf(trouble, facts) ?? 'service', { said: trouble }), quota }
  if (by.stopped !== undefined) return { end: end(by.stopped), quota }
  if (ours === 'silence') return { end: end('silence', limits.silence), quota }
  if (ours === 'time-limit') return { end: end('time-limit', limits.total), quota }
  if (verdict.outcome === 'success') {
    const said = facts.lastMessage
    return { end: end(facts.denied > 0 ? 'denied' : 'no-report', said === undefined ? {} : { said }), quota }
  }
  const said = verdict.message ?? trouble ?? lastWords ?? facts.lastMessage
  const exit = {
    ...(by.code !== undefined && { exitCode: by.code }),
    ...(by.signal !== undefined && { signal: by.signal }),
    ...(said !== undefined && { said }),
  }
  const kind = said === undefined ? undefined : kindOf(said, facts)
  if (kind !== undefined) return { end: end(kind, exit), quota: kind === 'quota' ? facts.quota : quota }
  if (facts.denied > 0 && trouble === undefined) return { end: end('denied', exit), quota }
  const signal =
    by.signal ?? (verdict.outcome === 'interrupted' && verdict.reason.startsWith('SIG') ? verdict.reason : undefined)
  if (signal !== undefined && verdict.outcome === 'interrupted')
    return { end: end('killed', { ...exit, signal }), quota }
  return { end: end('failed', exit), quota }
}

/** Of a program that did not run; the engine may not even be configured. */
export function notStarted(engine: Program | undefined, id: string, kind: EndKind, said?: string): RunEnd {
  const command = engine?.programs[0]
  return runEnd(kind, {
    label: engine?.label ?? id,
    engine: id,
    ...(command !== undefined && { command: baseName(command) }),
    ...(said !== undefined && { said }),
  })
}

// Each of them bounded: a program may say anything, and much of it.
const SIGN_IN =
  /\b401\b|unauthori[sz]ed|unauthenticated|authenticat|\bauth method\b|api.?key|credential|log ?in\b|logged (?:in|out)|sign(?:ed)? in\b|permission_denied|\b403\b/i
const MODEL =
  /\bmodel\b.{0,200}(?:not found|not exist|not support|unknown|unavailable|no access|may not)|models\/\S{1,200} is not found/i
const SERVICE =
  /\b5\d\d\b|api error|server.?(?:side|error)|overload|high demand|timed? ?out|econn|enotfound|eai_again|network|socket|fetch failed|connect|disconnect|stream|terminated|unavailable|incomplete|premature|aborted/i

function kindOf(message: string, facts: Facts): EndKind | undefined {
  if (facts.quota !== undefined && facts.troubled) return 'quota'
  if (SIGN_IN.test(message)) return 'sign-in'
  if (MODEL.test(message)) return 'model'
  return SERVICE.test(message) ? 'service' : undefined
}

/** Programs of the configuration are named by their path. */
function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1)
}
