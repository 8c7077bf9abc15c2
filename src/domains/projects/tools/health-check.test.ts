import { expect } from 'vitest'
import { onBoth, refuses, success } from '#test/scene.ts'

onBoth('says that the hub is up, and its version', async ({ hub }) => {
  expect(success(await hub.call('health_check'))).toEqual({
    status: 'ok',
    version: '0.0.0-test',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
})

refuses('health_check', [
  {
    name: 'an agent, whose business it is not',
    by: 'worker',
    args: () => ({}),
    error: 'health_check is not for this kind of caller (agent).',
    code: 'NOT_ALLOWED',
  },
])
