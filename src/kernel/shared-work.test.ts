import { expect, test } from 'vitest'
import { SharedWork } from './shared-work.ts'

/** Work that ends when the test says so, and that knows when it began. */
function world() {
  const shared = new SharedWork(2)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  let state = 0
  const ask = (key: string, signal?: AbortSignal) =>
    shared.run(
      key,
      async stop => {
        const name = `${key} at ${state}`
        begun.push(name)
        await new Promise<void>((resolve, reject) => {
          ends.set(name, resolve)
          stop.addEventListener('abort', () => reject(new Error(`${name} was called off`)))
        })
        return name
      },
      signal,
    )
  return { ask, begun, end: (name: string) => ends.get(name)?.(), change: () => state++ }
}

test('callers that come while one runs share the next, which begins after all of them came', async () => {
  const { ask, begun, end, change } = world()
  const first = ask('a')
  change()
  const second = ask('a')
  const third = ask('a')
  expect(begun).toEqual(['a at 0'])
  change()
  end('a at 0')
  expect(await first).toBe('a at 0')
  await expect.poll(() => begun).toEqual(['a at 0', 'a at 2'])
  const fourth = ask('a')
  end('a at 2')
  expect(await Promise.all([second, third])).toEqual(['a at 2', 'a at 2'])
  await expect.poll(() => begun).toHaveLength(3)
  end('a at 2')
  expect(await fourth).toBe('a at 2')
})

test('only two run at once, and the others in the order in which they came', async () => {
  const { ask, begun, end } = world()
  const all = ['a', 'b', 'c', 'd'].map(key => ask(key))
  expect(begun).toEqual(['a at 0', 'b at 0'])
  end('b at 0')
  await all[1]
  await expect.poll(() => begun).toEqual(['a at 0', 'b at 0', 'c at 0'])
  for (const key of ['a', 'c']) end(`${key} at 0`)
  await expect.poll(() => begun).toHaveLength(4)
  end('d at 0')
  expect(await Promise.all(all)).toHaveLength(4)
})

test('a caller that gives up leaves the others what they wait for; without callers the work is called off', async () => {
  const { ask, begun, end } = world()
  const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()]
  const running = ask('a', one.signal)
  const waiting = ask('a', two.signal)
  const other = ask('a')
  two.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  one.abort(new Error('gone'))
  await expect(running).rejects.toThrow('gone')
  await expect.poll(() => begun).toHaveLength(2)
  end('a at 0')
  expect(await other).toBe('a at 0')
  const busy = [ask('b'), ask('c')]
  const never = ask('d', three.signal)
  three.abort(new Error('gone'))
  await expect(never).rejects.toThrow('gone')
  for (const key of ['b', 'c']) end(`${key} at 0`)
  await Promise.all(busy)
  expect(begun).not.toContain('d at 0')
  await expect(ask('e', three.signal)).rejects.toThrow('gone')
})
