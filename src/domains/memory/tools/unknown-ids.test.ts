import { expect } from 'vitest'
import { onBoth, rowsOf } from '#test/scene.ts'

onBoth('a topic or a decision that is not there is NOT_FOUND, the finer code is the reason', async ({ hub }) => {
  const before = await rowsOf(hub)
  const decision = { decision: 'd', reason: 'r' }
  const asked: [Record<string, unknown>, string][] = [
    [{ ...decision, topic_id: 4711 }, 'TOPIC_NOT_FOUND'],
    [{ ...decision, supersedes: 4711 }, 'DECISION_NOT_FOUND'],
  ]
  for (const [args, reason] of asked) {
    const { body, isError } = await hub.call('add-decision', args)
    expect({ body, isError }).toMatchObject({ isError: true, body: { error: { code: 'NOT_FOUND', reason } } })
  }
  expect(await rowsOf(hub)).toEqual(before)
})
