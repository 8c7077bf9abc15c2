import { expect, test } from 'vitest'
import { commandCatalogue, commandFiles } from './gen-commands.js'

const text = { en: 'Saw a plank', ja: '板をひく' }

test('a command is one file: its name says how it is called, and it is listed at its place', () => {
  const files = commandFiles(['plank-saw.ts', 'plank-saw.test.ts', 'plank-add.ts', 'up.ts'])
  expect(files).toEqual(['plank-add.ts', 'plank-saw.ts', 'up.ts'])
  const commands = files.map(file => ({ file, summary: text, order: file === 'plank-saw.ts' ? 1 : 2 }))
  const lines = commandCatalogue(commands, [
    { path: 'plank', summary: text, when: text, group: 'work', order: 1 },
  ]).split('\n')
  expect(lines.filter(line => line.startsWith('  {')).map(line => /path: "([^"]+)"/.exec(line)?.[1])).toEqual([
    'plank',
    'plank saw',
    'plank add',
    'up',
  ])
  expect(lines).toContainEqual(expect.stringContaining(`load: () => import('./commands/plank-saw.ts')`))
  expect(lines).toContainEqual(expect.stringContaining('group: "work"'))
})
