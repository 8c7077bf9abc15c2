import { expect, test } from 'vitest'
import { Scope } from './scope.ts'

test('stops in reverse, waits for each, and one failure spares none', async () => {
  const said: string[] = []
  const scope = new Scope((name, error) => said.push(`${name} failed: ${(error as Error).message}`))
  scope.add('first', () => said.push('first'))
  scope.add('second', () => {
    throw new Error('stuck')
  })
  scope.add('third', async () => {
    await Promise.resolve()
    said.push('third')
  })
  await scope.dispose()
  await scope.dispose()
  expect(said).toEqual(['third', 'second failed: stuck', 'first'])
})
