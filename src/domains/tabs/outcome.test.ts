import { expect, test } from 'vitest'
import type { TabId } from '#contract/id-types.ts'
import { callBy } from '#test/scene.ts'
import type { Tab } from './model.ts'
import { launched } from './outcome.ts'
import type { Tabs } from './service.ts'

const row = (facts: Partial<Tab>) => ({ openedAt: null, readyAt: null, endedAt: null, problem: null, ...facts }) as Tab

/** Gives each of these in turn as what a wait came to; answers the tab, and how long each wait was to be at most. */
async function launchOf(...rows: Partial<Tab>[]) {
  const waits: number[] = []
  const until: Tabs['until'] = async (_id, wanted, _signal, ms) => {
    waits.push(ms)
    const tab = row(rows[waits.length - 1] ?? {})
    expect([waits.length, wanted(tab)]).toEqual([waits.length, waits.length < rows.length || wanted(tab)])
    return tab
  }
  const tabs = { until, find: async () => undefined } as unknown as Tabs
  const tab = await launched(
    { tabs, worktrees: { listen: () => () => {} } },
    'tab_x' as TabId,
    callBy({ kind: 'operator' }),
  )
  return { tab, waits }
}

test('a launch waits no longer once its program shows a prompt or a question, or has ended', async () => {
  expect((await launchOf({ openedAt: 1, readyAt: 2 })).waits).toEqual([45_000])
  expect((await launchOf({ openedAt: 1, endedAt: 2 })).waits).toEqual([45_000])
  // Its setup takes longer than a call can wait: nothing runs yet that could end.
  expect((await launchOf({})).waits).toEqual([45_000])
})

test('one that shows nothing yet gets two seconds to end, and no more', async () => {
  const ended = await launchOf({ openedAt: 1 }, { openedAt: 1, endedAt: 2 })
  expect(ended).toMatchObject({ waits: [45_000, 2000], tab: { endedAt: 2 } })
  const silent = await launchOf({ openedAt: 1 }, { openedAt: 1 })
  expect(silent).toMatchObject({ waits: [45_000, 2000], tab: { endedAt: null } })
})
