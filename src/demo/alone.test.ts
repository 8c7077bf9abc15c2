import { expect, test } from 'vitest'
import { answerAlone } from './alone.ts'

/** `pages`: how many are open at each look at the question. */
function stage(pages: number[], patienceMs = 0) {
  const { signal } = new AbortController()
  const pressed: string[] = []
  let looks = 0
  let tab: string | undefined = 'tab_1'
  const ended = answerAlone({
    asking: async () => {
      if (looks === pages.length) tab = undefined
      looks++
      return tab
    },
    press: async one => {
      pressed.push(one)
      tab = undefined
    },
    pages: () => pages[looks - 1] ?? 0,
    ...{ patienceMs, signal, lookMs: 0 },
  })
  return { ended, pressed, looked: () => looks }
}

test('the question of the demo waits while a page is open, however short the patience', async () => {
  const { ended, pressed, looked } = stage([1, 1, 2, 1, 1])
  await ended
  expect(pressed).toEqual([])
  expect(looked()).toBe(6)
})

test('the demo answers once the last page is closed, or none was opened', async () => {
  for (const [pages, looks] of [
    [[1, 1, 0, 0], 3],
    [[0, 0], 1],
  ] as const) {
    const { ended, pressed, looked } = stage([...pages])
    await ended
    expect(pressed).toEqual(['tab_1'])
    expect(looked()).toBe(looks + 1)
  }
})

test('patience begins when the last page is closed', async () => {
  const { ended, pressed } = stage([1, 0, 1, 0, 0], Infinity)
  await ended
  expect(pressed).toEqual([])
})
