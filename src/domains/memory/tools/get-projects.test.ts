import { expect } from 'vitest'
import { onBothMemories, refusesMemory } from '#test/memory-tools.ts'

onBothMemories('lists the projects with their numbers, page by page', async hub => {
  const first = await hub.call('get-projects', { limit: 1 })
  expect(first.body).toEqual({
    projects: [{ id: 1, name: 'shop', description: null, asana_url: null, created_at: expect.any(String) }],
    next_start_id: 2,
  })
  const rest = await hub.call('get-projects', { start_id: first.body['next_start_id'] })
  expect(rest.body).toEqual({ projects: [expect.objectContaining({ id: 2, name: 'blog' })] })
})

refusesMemory('get-projects', [
  {
    name: 'no items a page',
    args: { limit: 0 },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /limit/,
  },
  {
    name: 'a start before the first',
    args: { start_id: -1 },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /start_id/,
  },
])
