import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundlePrograms, kill, until, World } from '#test/bridge/world.ts'

let programs = ''
beforeAll(async () => {
  programs = await bundlePrograms()
})
afterAll(() => fs.rmSync(programs, { recursive: true, force: true }))

test('20 kills of the hub with calls in flight: each call is carried out and answered exactly once', async () => {
  await using world = new World(programs)
  const clients = [world.bridge(), world.bridge(), world.bridge()]
  await Promise.all(clients.map(client => client.handshake()))
  // Not their addresses: a port can be given out twice.
  const hubs = new Set<number>()
  let next = 0
  const sent = clients.map(() => [] as (string | number)[])
  for (let round = 0; round < 20; round++) {
    const hub = await until(() => {
      const state = world.hub()
      return !hubs.has(state.pid) && state
    })
    hubs.add(hub.pid)
    for (const [c, client] of clients.entries())
      for (let i = 0; i < 10; i++) sent[c]?.push(client.post('tools/call', { name: 'once', arguments: { k: next++ } }))
    // At another moment of its work in each round.
    await until(() => world.records('frames').filter(({ pid }) => pid === hub.pid).length > round)
    kill(hub.pid)
    await Promise.all(clients.map((client, c) => client.answerTo(sent[c]?.at(-1) ?? 0)))
  }
  for (const [c, client] of clients.entries()) {
    const answers = await Promise.all((sent[c] ?? []).map(id => client.answerTo(id)))
    expect(answers.every(({ result }) => result && 'done' in result)).toBe(true)
    const ids = client.messages.map(({ id }) => id)
    expect(ids).toHaveLength(new Set(ids).size)
    expect(ids).toHaveLength(201)
  }
  expect(world.effects()).toEqual(Array.from({ length: 600 }, (_, k) => k))
  expect(hubs.size).toBe(20)
  expect(new Set(world.records().map(({ secret }) => secret)).size).toBe(3)
})
