import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import { placeFor, quietLog } from '#test/database.ts'
import { answerMigrations } from './answers.ts'
import { plainTime } from '../../test/plain-time.ts'
import { systemClock } from './clock.ts'
import { EventLog, eventMigrations } from './events.ts'
import { systemIds } from './ids.ts'
import { Invoker } from './invoke.ts'
import { Quotas } from './quotas.ts'
import { type Call, type Tool, tool } from './tool.ts'

type Services = { note(text: string): void }

/** The road alone: one table of its own, one tool at a time. */
async function onRoad(
  story: (road: { invoke: Invoke; said: string[]; log: unknown[][]; events: EventLog }) => Promise<void>,
) {
  await using place = await placeFor('sqlite')
  await using database = await place.open([...eventMigrations, ...answerMigrations])
  // Its own line for every call is tested elsewhere.
  const log = { ...quietLog(), debug: () => {} }
  const events = new EventLog({ database, clock: systemClock, log })
  const said: string[] = []
  const invoker = new Invoker<Services>({
    database,
    events,
    clock: plainTime,
    ids: systemIds,
    log,
    quotas: new Quotas(() => ({ callsPerMinute: 1000, writeMegabytesPerMinute: 1 }), systemClock),
    bind: () => ({ note: text => void said.push(text) }),
    admit: async () => {},
    named: async () => undefined,
    onConnection: async () => undefined,
    idOf: async () => undefined,
  })
  const invoke: Invoke = (definition, args, extra = {}) => {
    const call = {
      caller: operator,
      lang: 'en',
      signal: new AbortController().signal,
      progress: () => {},
      ...extra,
    } as Call
    return invoker.invoke(definition, args, call)
  }
  await story({ invoke, said, log: log.lines, events })
}

type Invoke = (
  definition: Tool<Services>,
  args: unknown,
  extra?: Partial<Call>,
) => ReturnType<Invoker<Services>['invoke']>

const operator: Caller = { kind: 'operator' }
const agent = { kind: 'agent', agentId: 'agt_1', projectId: 'prj_1', epoch: 1 } as Caller

const made = (
  effect: 'read' | 'write',
  run: Tool<Services>['run'],
  extra: Partial<Tool<Services>> = {},
): Tool<Services> =>
  tool({
    name: 'try_it',
    toolset: 'projects',
    title: 'Try it',
    description: 'Tries it.',
    effect,
    callers: ['operator'],
    input: z.object({ n: z.int().optional(), agent_id: z.string().optional() }),
    output: z.object({ n: z.int() }),
    run,
    ...extra,
  })

for (const effect of ['read', 'write'] as const)
  test(`a ${effect} whose answer breaks its own schema is an INTERNAL_ERROR with a reference, its text only in the log`, () =>
    onRoad(async ({ invoke, log }) => {
      const outcome = await invoke(
        made(effect, async () => ({ n: 'the secret' })),
        {},
      )
      expect(outcome).toMatchObject({
        ok: false,
        error: { code: 'INTERNAL_ERROR', kind: 'internal', retryable: false },
      })
      const message = outcome.ok ? '' : outcome.error.message
      expect(message).toMatch(/under ref_[0-9a-z]{30,}\.$/)
      expect(message).not.toContain('secret')
      expect(log).toMatchObject([[{ ref: expect.stringMatching(/^ref_/), tool: 'try_it' }, 'a call failed']])
    }))

test('a surprise inside is the same, and a refusal is itself', () =>
  onRoad(async ({ invoke, log }) => {
    const surprise = made('write', async () => {
      throw new TypeError('at /home/somebody/x.ts')
    })
    expect(await invoke(surprise, {})).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } })
    expect(log).toHaveLength(1)
    const refusal = made('read', async () => {
      throw CoreError.INVALID_ARGUMENT({ reason: { en: 'no', ja: '否' } })
    })
    expect(await invoke(refusal, {})).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENT', message: 'no' } })
    expect(log).toHaveLength(1)
  }))

test('a caller of the wrong kind is refused before its arguments are read, and that is on record', () =>
  onRoad(async ({ invoke, said, events }) => {
    const definition = made('read', async services => {
      services.note('ran')
      return { n: 1 }
    })
    const outcome = await invoke(definition, { n: 'wrong', agent_id: 'agt_2' }, { caller: agent })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'NOT_ALLOWED' } })
    expect(said).toEqual([])
    expect(await events.since(0)).toMatchObject([
      {
        type: 'call.refused',
        caller: 'agent:agt_1',
        payload: { tool: 'try_it', code: 'NOT_ALLOWED', claimed: 'agt_2' },
      },
    ])
  }))

test('what waits for the commit happens after it, once, and not at all when the verb fails or its answer is a stored one', () =>
  onRoad(async ({ invoke, said }) => {
    const works = made('write', async (services, _, call) => {
      services.note('verb')
      call.afterCommit(() => services.note('after'))
      return { n: 1 }
    })
    expect(await invoke(works, {}, { key: 'k' })).toEqual({ ok: true, value: { n: 1 } })
    expect(await invoke(works, {}, { key: 'k' })).toEqual({ ok: true, value: { n: 1 } })
    expect(said).toEqual(['verb', 'after'])
    const fails = made('write', async (services, _, call) => {
      call.afterCommit(() => services.note('never'))
      throw new Error('no')
    })
    await invoke(fails, {})
    expect(said).not.toContain('never')
  }))

test('what was prepared reaches the verb, and is not prepared again for an answer that is stored', () =>
  onRoad(async ({ invoke, said }) => {
    const definition = made('write', async (_, __, call) => ({ n: call.prepared as number }), {
      prepare: async services => {
        services.note('prepared')
        return 7
      },
    })
    for (let time = 0; time < 2; time++)
      expect(await invoke(definition, {}, { key: 'k' })).toEqual({ ok: true, value: { n: 7 } })
    expect(said).toEqual(['prepared'])
  }))
