// Following the event log over /events: in order, each event once, and on with the next hub where the last one stopped.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { followEvents } from '#client/follow-events.ts'
import { locate } from '#client/locate.ts'
import type { StoredEvent } from '#contract/events.ts'
import { type TestHub, testHub } from './hub.ts'

const names = (events: readonly StoredEvent[]) =>
  events
    .filter(({ type }) => type === 'project.added')
    .map(({ payload }) => (payload as { projectId: string }).projectId)

const add = (hub: TestHub, id: string) => hub.api('project.add', { id, name: id })

test('what happened while no hub was there is not missed, and nothing comes twice', async () => {
  const home = mkdtempSync(join(tmpdir(), 'toryo-follow-'))
  const target = locate(join(home, 'x.db'), { env: { HOME: home, TORYO_HOME: home } })
  let hub = await testHub({ target })
  const stopped = new AbortController()
  try {
    await add(hub, 'before')
    const since = (await hub.running.hub.events.since(0)).at(-1)?.seq ?? 0
    await add(hub, 'one')
    const seen: StoredEvent[] = []
    const follow = followEvents({ find: async () => hub, since, signal: stopped.signal })
    const next = async (name: string) => {
      while (names(seen).at(-1) !== name) {
        const { value } = await follow.next()
        expect(value).toBeDefined()
        seen.push(value as StoredEvent)
      }
    }
    await next('one')
    await hub.stop()
    hub = await testHub({ target })
    await add(hub, 'two')
    await next('two')
    await add(hub, 'three')
    await next('three')
    expect(names(seen)).toEqual(['one', 'two', 'three'])
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => since + 1 + index))
    stopped.abort()
    expect(await follow.next()).toMatchObject({ done: true })
  } finally {
    stopped.abort()
    await hub[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  }
})

test('without a number, the caller is asked to look at each new connection', async () => {
  await using hub = await testHub()
  const stopped = new AbortController()
  const follow = followEvents({ find: async () => hub, signal: stopped.signal })
  expect(await follow.next()).toEqual({ done: false, value: undefined })
  await add(hub, 'one')
  const { value } = await follow.next()
  expect(names(value ? [value] : [])).toEqual(['one'])
  stopped.abort()
  expect((await follow.next()).done).toBe(true)
})

test('a hub that refuses is not asked forever', async () => {
  await using hub = await testHub()
  const { signal } = new AbortController()
  const follow = followEvents({ find: async () => ({ url: hub.url, token: 'wrong' }), signal })
  await expect(follow.next()).rejects.toMatchObject({ code: 'TOKEN_UNKNOWN' })
})

test('an address at which no hub is, is given up after a while', async () => {
  const { signal } = new AbortController()
  const url = 'http://127.0.0.1:1'
  const follow = followEvents({ find: async () => ({ url, token: 't' }), signal, patienceMs: 1 })
  await expect(follow.next()).rejects.toMatchObject({ code: 'HUB_UNREACHABLE' })
})
