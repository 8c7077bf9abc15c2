import { expect } from 'vitest'
import { eventsOf, onBothMemories, refusesMemory } from '#test/memory-tools.ts'

onBothMemories('adds a project that the other tools know by its number', async hub => {
  const wish = { name: 'site', description: 'the site', asana_url: 'https://app.asana.com/0/1' }
  const { body, isError } = await hub.call('add-project', wish)
  expect({ isError, body }).toEqual({
    isError: false,
    body: { project_id: 3, ...wish, created_at: expect.any(String) },
  })
  const { projects } = await hub.api('project.list', {})
  expect(projects.at(-1)).toMatchObject({ number: 3, name: 'site', working_directory: null })
  expect(await eventsOf(hub, 'project.added')).toHaveLength(3)
  expect((await hub.call('add-project', { name: '  bare  ' })).body).toMatchObject({
    name: 'bare',
    description: null,
    asana_url: null,
  })
})

refusesMemory('add-project', [
  {
    name: 'a name that is taken',
    args: { name: 'shop' },
    code: 'INVALID_PARAMETER',
    reason: 'PROJECT_EXISTS',
    message: /exists/,
  },
  {
    name: 'a name of spaces',
    args: { name: '  ' },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /name/,
  },
  { name: 'no name', args: {}, code: 'INVALID_PARAMETER', reason: 'INVALID_ARGUMENT', message: /name/ },
  {
    name: 'an address that is not one of the web',
    args: { name: 'c', asana_url: 'javascript:alert(1)' },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /http/,
  },
])
