import { expect, test } from 'vitest'
import { z } from 'zod'
import { Registry } from './registry.ts'
import { type Tool, type Toolset, tool } from './tool.ts'

function made(name: string, toolset: Toolset, more: Partial<Tool> = {}): Tool {
  return tool({
    name,
    toolset,
    title: name,
    description: `${name} of ${toolset}.`,
    effect: 'read',
    callers: ['operator'],
    input: z.object({}),
    output: z.object({}),
    run: async () => ({}),
    ...(more as object),
  })
}

test.each([
  ['the same name', 'list_things'],
  ['the other spelling of it', 'list-things'],
])('refuses two tools with %s, whatever their toolsets', (_, name) => {
  expect(() => new Registry([made('list_things', 'projects'), made(name, 'crews')])).toThrow(
    `two tools are named ${name}`,
  )
})

test('a tool of two toolsets takes the form for those that a connection has', () => {
  const alone = made('list_things', 'crews')
  const together = made('list_things', 'projects')
  const own = made('list_things', 'projects', {
    offeredTo: ['instance'],
    also: [
      { toolsets: ['crews'], tool: alone },
      { toolsets: ['projects', 'crews'], tool: together },
    ],
  })
  const registry = new Registry([own, made('other', 'tabs')])
  const form = (...toolsets: Toolset[]) => registry.find('list-things', { toolsets })
  expect(form('projects')).toBe(own)
  expect(form('crews')).toBe(alone)
  expect(form('projects', 'crews')).toBe(together)
  expect(form('tabs')).toBeUndefined()
  expect(registry.find('list_things', { toolsets: [], work: 'instance' })).toBe(own)
  expect(registry.find('list_things', { toolsets: ['crews'], work: 'instance' })).toBe(together)
  expect(registry.offered({ toolsets: ['crews', 'projects'] })).toEqual([together])
  expect(registry.list({ toolsets: ['crews'] }, 'operator').map(({ description }) => description)).toEqual([
    'list_things of crews.',
  ])
  expect(registry.all().slice(0, 3)).toEqual([own, alone, together])
})
