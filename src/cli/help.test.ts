import { expect, test } from 'vitest'
import { fakeIo } from '#test/fake-io.ts'
import { runCli } from './run.ts'
import { widthOf } from './width.ts'

const installed = { hubProgram: '/nowhere/hub.js', version: '1' }

async function help(words: string[], lang: 'en' | 'ja', width: number): Promise<string[]> {
  const io = fakeIo({ lang, width })
  expect(await runCli([...words, '--help'], io, installed)).toBe(0)
  return io.out().split('\n')
}

test.each(['en', 'ja'] as const)('fits 40 columns, in %s, with each description below its term', async lang => {
  for (const words of [[], ['task', 'add'], ['tab', 'attach'], ['phase', 'prompt', 'edit']]) {
    // What can be typed stays in one piece: the usage and the examples.
    const lines = (await help(words, lang, 40)).filter(line => !/^(Usage|使い方): /.test(line))
    const examples = lines.findIndex(line => /^(Examples:|例:)/.test(line))
    for (const line of examples === -1 ? lines : lines.slice(0, examples))
      expect(widthOf(line), line).toBeLessThanOrEqual(40)
  }
  const lines = await help([], lang, 40)
  expect(lines[lines.indexOf('  up') + 1]).toMatch(/^ {6}\S.*Ctrl-C/)
})

test('has terms and descriptions side by side where there is room', async () => {
  expect(await help([], 'en', 80)).toContain('  up                   Run the hub here, until Ctrl-C')
})
