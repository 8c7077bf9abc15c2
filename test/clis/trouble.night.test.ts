// What the programs make of a model that refuses, is out of quota, breaks off or says nothing; and what we make of that.
import { expect, test } from 'vitest'
import { markedProcesses } from '../scripted.ts'
import { type CliName, describeClis, EVERY_CLI } from './clis.ts'
import type { Heard, Script, Step } from './model/conversation.ts'
import { CliWorld, until } from './world.ts'

const HOURS_2 = 7_200

const SCRIPTS: Record<string, Script> = {
  unauthorized: () => ({ refuse: 401, message: 'scripted 401' }),
  broken: () => ({ refuse: 500, message: 'scripted 500' }),
  cut: () => ({ cut: 'half a sent' }),
  silent: () => ({ silence: true }),
  spent: ({ protocol }) => SPENT[protocol](),
}

/** As each service really says that nothing is left. */
const SPENT: Record<Heard['protocol'], () => Step> = {
  anthropic: () => ({ refuse: 429, message: 'This request would exceed your account’s rate limit.', headers: LATER }),
  responses: () => ({
    refuse: 429,
    message: '',
    body: { error: { type: 'usage_limit_reached', message: 'Reached', plan_type: 'plus', resets_at: resetsAt() } },
  }),
  chat: () => ({ refuse: 429, message: 'You exceeded your current quota.', headers: LATER }),
  gemini: () => ({
    refuse: 429,
    message: '',
    body: {
      error: {
        code: 429,
        message: 'You exceeded your current quota.',
        status: 'RESOURCE_EXHAUSTED',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
            violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
          },
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${HOURS_2}s` },
        ],
      },
    },
  }),
}
const LATER = { 'retry-after': String(HOURS_2) }
const resetsAt = () => Math.floor(Date.now() / 1000) + HOURS_2

/** opencode goes on trying, in silence, until we end it; the others give up by themselves. */
const GIVES_UP: Record<CliName, boolean> = { claude: true, codex: true, gemini: true, opencode: false }

describeClis(EVERY_CLI, cli => {
  test.concurrent('a key that is refused is an error that names it', async () => {
    await using world = await CliWorld.open(cli, SCRIPTS)
    const { verdict, facts } = await world.run({ prompt: 'SCRIPT=unauthorized' })
    expect(verdict).toMatchObject({ outcome: 'error', message: expect.stringContaining('scripted 401') })
    expect(facts.quota).toBeUndefined()
  })

  test.concurrent.each(['broken', 'cut'])('a service that is %s is an error, and no quota', async name => {
    await using world = await CliWorld.open(cli, SCRIPTS)
    const { run, done, facts, marker } = await world.start({ prompt: `SCRIPT=${name}` })
    if (!GIVES_UP[cli]) await until(() => facts().trouble).then(() => run.stop())
    const { verdict } = await done
    expect(verdict).toMatchObject({ outcome: GIVES_UP[cli] ? 'error' : 'interrupted', message: expect.any(String) })
    expect(facts()).toMatchObject({ trouble: expect.any(String), quota: undefined })
    expect(markedProcesses(marker)).toEqual([])
  })

  test.concurrent('a quota that is spent is recognised', async () => {
    await using world = await CliWorld.open(cli, SCRIPTS)
    const { run, done, facts } = await world.start({ prompt: 'SCRIPT=spent' })
    if (!GIVES_UP[cli]) await until(() => facts().quota).then(() => run.stop())
    expect((await done).verdict.outcome).not.toBe('success')
    expect(facts().quota?.message).toMatch(/429|quota|limit/)
    // It is the only one that passes the time on; told in minutes.
    if (cli === 'codex') expect(Math.abs(Number(facts().quota?.resetsAt) - resetsAt() * 1000)).toBeLessThan(120_000)
  })

  test.concurrent('a model that says nothing is our own limit’s business', async () => {
    await using world = await CliWorld.open(cli, SCRIPTS)
    const { done, marker } = await world.start({ prompt: 'SCRIPT=silent', limits: { silenceMs: 20_000 } })
    await until(() => world.model.asked.length > 0)
    const { ending, verdict } = await done
    expect(ending).toMatchObject({ cause: 'silence', cleanup: { survivors: [] } })
    expect(verdict.outcome).toBe('interrupted')
    expect(markedProcesses(marker)).toEqual([])
  })
})
