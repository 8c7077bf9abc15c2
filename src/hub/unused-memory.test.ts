import { expect, test } from 'vitest'
import { ofThisProcess, UnusedMemory } from './unused-memory.ts'

const MB = 1024 * 1024
const BEAT = 10_000

function scene() {
  const state = { cpu: 0, now: 0, heap: 60 * MB, least: 30 * MB, collected: 0 }
  const memory = new UnusedMemory({
    cpu: () => state.cpu,
    now: () => state.now,
    heap: () => state.heap,
    collect: () => {
      state.collected++
      state.heap = state.least
      state.cpu += 80
    },
  })
  return {
    state,
    beat: (cpu: number) => {
      state.cpu += cpu
      state.now += BEAT
      memory.look()
    },
  }
}

test('a hub gives memory back once it is quiet, and not while it works', () => {
  const { state, beat } = scene()
  beat(3000)
  expect(state.collected).toBe(0)
  beat(5)
  expect(state.collected).toBe(1)
})

test('a quiet hub is not stopped again for little', () => {
  const { state, beat } = scene()
  beat(5)
  for (let count = 0; count < 10; count++) {
    state.heap += MB
    beat(5)
  }
  expect(state.collected).toBe(1)
})

test('what was collected does not count as work, and the next burst is given back, too', () => {
  const { state, beat } = scene()
  beat(5)
  state.heap += 40 * MB
  beat(150)
  expect(state.collected).toBe(2)
  state.heap += 40 * MB
  beat(4000)
  expect(state.collected).toBe(2)
  beat(5)
  expect(state.collected).toBe(3)
})

test('memory of this process is really given back', () => {
  let rubbish: unknown[] | undefined = Array.from({ length: 400_000 }, (_, index) => ({ index }))
  const { heap, collect } = ofThisProcess
  const full = heap()
  let now = 0
  const memory = new UnusedMemory({ cpu: () => 0, now: () => now, heap, collect })
  rubbish = undefined
  now += BEAT
  memory.look()
  expect(rubbish).toBeUndefined()
  expect(heap()).toBeLessThan(full)
})
