// People's names of tasks and projects, at every door.
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { api } from '#contract/api.ts'
import { shortNames } from '#contract/id-types.ts'
import { prompts, resources } from '#hub/resources.ts'
import { tools } from '#hub/tools.gen.ts'
import type { Services } from '#hub/services.ts'
import { formsOf, type Tool } from '#kernel/tool.ts'
import { databases, testHub } from './hub.ts'
import { eventsOf, onStage, rowsOf } from './scene.ts'
import { until } from './until.ts'

const inputs: [string, z.ZodObject][] = [
  ...Object.entries(api).map(([name, { input }]): [string, z.ZodObject] => [name, input]),
  ...(tools as unknown as Tool<Services>[])
    .flatMap(formsOf)
    .map((tool): [string, z.ZodObject] => [tool.name, tool.input]),
  ...[...resources, ...prompts].map(({ name, tool }): [string, z.ZodObject] => [name, tool.input]),
]

test('every argument that names a task or a project takes its short name, too', () => {
  const without = inputs.flatMap(([name, input]) =>
    fieldsOf(input).flatMap(([field, schema]) => {
      const of = /(?:^|_)(task|project)_?id$/i.exec(field)?.[1]?.toLowerCase()
      return of === undefined || markOf(schema) === of ? [] : [`${name} ${field}`]
    }),
  )
  expect(without).toEqual([])
})

describe.each(databases)('on %s', database => {
  test('tasks are numbered within their project, and a handle is as good as an id for tools, operations and resources', () =>
    onStage({ database }, async ({ hub, worker, taskId, projectId }) => {
      const { handle } = await hub.api('task.show', { task_id: taskId })
      const { key } = await hub.api('project.show', { project_id: projectId })
      expect(handle).toBe(`${key}-1`)
      const second = await hub.api('task.add', { project_id: key, title: 'The second' })
      expect(second).toMatchObject({ handle: `${key}-2`, project_id: projectId })
      expect(await hub.api('task.move', { task_id: `${key}-2`, status: 'blocked' })).toMatchObject({
        task_id: second.task_id,
      })
      for (const by of [hub, worker]) {
        const { body } = await by.call('get_task', { task_id: handle })
        expect(body).toMatchObject({ success: true, task: { task_id: taskId, handle } })
      }
      expect((await worker.call('save_context', { task_id: handle, progress: 'half' })).isError).toBe(false)
      expect((await rowsOf(hub, 'notes'))['notes']).toMatchObject([{ task_id: taskId, progress: 'half' }])
      const { client } = worker
      const { contents } = await client.readResource({ uri: `task://${handle}` })
      expect(contents).toMatchObject([{ uri: `task://${handle}` }])
      expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ task_id: taskId })
      const { messages } = await client.getPrompt({ name: 'context_summary', arguments: { task_id: handle } })
      expect(JSON.stringify(messages)).toContain('half')
      const complete = async (value: string) => {
        const ref = { type: 'ref/prompt', name: 'context_summary' } as const
        return (await client.complete({ ref, argument: { name: 'task_id', value } })).completion.values
      }
      expect(await complete(key.slice(0, 2))).toEqual([`${key}-2`, handle])
      expect(await complete(`${key}-2`)).toEqual([`${key}-2`])
      expect(await complete(`${key}-`)).toEqual([`${key}-2`, handle])
      expect(await complete('%')).toEqual([])
      // Memory's tools have numbers of projects as well.
      expect((await hub.call('get-topics', { project_id: key })).isError).toBe(false)
    }))

  test('a handle of another project is refused as its id is, and of none as what was given', () =>
    onStage({ database }, async ({ hub, worker, other }) => {
      const { handle } = await hub.api('task.show', { task_id: other.taskId })
      const { key } = await hub.api('project.show', { project_id: other.projectId })
      for (const [tool, named, plain] of [
        ['get_task', { task_id: handle }, { task_id: other.taskId }],
        ['save_context', { task_id: handle, progress: 'x' }, { task_id: other.taskId, progress: 'x' }],
        ['get_project', { project_id: key }, { project_id: other.projectId }],
        ['list_tasks', { project_id: key }, { project_id: other.projectId }],
      ] as const) {
        const byId = await worker.call(tool, plain)
        expect(byId.isError, tool).toBe(tool !== 'get_project')
        expect((await worker.call(tool, named)).body).toEqual(byId.body)
      }
      expect((await rowsOf(hub, 'notes'))['notes']).toEqual([])
      const { values } = (
        await worker.client.complete({
          ref: { type: 'ref/prompt', name: 'context_summary' },
          argument: { name: 'task_id', value: `${key}-` },
        })
      ).completion
      expect(values).toEqual([])
      const none = await worker.call('get_task', { task_id: 'nowhere-9' })
      expect(JSON.stringify(none.body)).toContain('nowhere-9')
      await expect(hub.api('task.show', { task_id: 'nowhere-9' })).rejects.toThrow('TASK_NOT_FOUND')
      await expect(hub.api('task.show', { task_id: `${key}-2` })).rejects.toThrow('TASK_NOT_FOUND')
    }))

  test('ids win over short names, and neither is given for what another has', async () => {
    await using hub = await testHub({ database })
    const shop = await hub.api('project.add', { name: 'Shop' })
    expect(shop.key).toBe('shop')
    const chosen = await hub.api('task.add', { project_id: 'shop', id: 'shop-2', title: 'By its id' })
    expect(chosen.handle).toBe('shop-1')
    // Number 2 would be called by that id.
    expect((await hub.api('task.add', { project_id: 'shop', title: 'Next' })).handle).toBe('shop-3')
    expect(await hub.api('task.show', { task_id: 'shop-2' })).toMatchObject({ task_id: 'shop-2' })
    await expect(hub.api('task.add', { project_id: 'shop', id: 'shop-3', title: 'Again' })).rejects.toThrow(
      'TASK_EXISTS',
    )
    await expect(hub.api('project.add', { id: 'shop', name: 'Other' })).rejects.toThrow('PROJECT_EXISTS')
    const yard = await hub.api('project.add', { id: 'yard', name: 'A yard' })
    expect(yard.key).toBe('yard')
    expect((await hub.api('project.add', { name: 'yard' })).key).toBe('yard2')
    expect((await hub.api('project.add', { name: 'shop' })).key).toBe('shop2')
    expect((await hub.api('project.add', { name: '屋根' })).key).toBe('p5')
    await expect(hub.api('project.edit', { project_id: 'shop', key: 'yard' })).rejects.toThrow('PROJECT_EXISTS')
    await expect(hub.api('project.edit', { project_id: 'shop', key: 'a-b' })).rejects.toThrow('INVALID_ARGUMENT')
    expect(await hub.api('project.edit', { project_id: 'shop', key: 'store' })).toMatchObject({ key: 'store' })
    expect(await hub.api('task.show', { task_id: 'store-3' })).toMatchObject({ title: 'Next', handle: 'store-3' })
    await expect(hub.api('task.show', { task_id: 'shop-3' })).rejects.toThrow('TASK_NOT_FOUND')
    expect(eventsOf(await rowsOf(hub, 'events'), 'project.edited')).toEqual([{ projectId: shop.project_id }])
  })

  test('many that add tasks and projects at once get numbers and keys of their own', async () => {
    await using hub = await testHub({ database })
    await hub.api('project.add', { name: 'Shop' })
    const adding = Array.from({ length: 20 }, (_, count) =>
      hub.api('task.add', { project_id: 'shop', title: `Task ${count}` }),
    )
    const handles = (await Promise.all(adding)).map(({ handle }) => handle)
    expect(new Set(handles).size).toBe(20)
    expect(handles.map(handle => Number(handle.slice(5))).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    const made = await Promise.all([1, 2, 3, 4].map(count => hub.api('project.add', { name: `Yard ${count}` })))
    expect(made.map(({ key }) => key).toSorted()).toEqual(['yard', 'yard2', 'yard3', 'yard4'])
  })
})

test('a call that is sent again after its project got another key has the answer of the first', async () => {
  await using hub = await testHub()
  await hub.api('project.add', { name: 'Shop' })
  const add = () =>
    hub.fetch('/api/task.add', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
      body: JSON.stringify({ project_id: 'shop', title: 'Only one' }),
    })
  const first = await (await add()).json()
  await hub.api('project.edit', { project_id: 'shop', key: 'store' })
  expect(await (await add()).json()).toEqual(first)
  expect((await hub.api('task.list', {})).tasks).toHaveLength(1)
})

test('a watcher of a handle hears of it under that handle, and of the id under the id', () =>
  onStage({}, async ({ hub, taskId }) => {
    const { handle } = await hub.api('task.show', { task_id: taskId })
    const { client } = await hub.connect()
    const heard: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
    await client.subscribeResource({ uri: `task://${handle}` })
    await client.subscribeResource({ uri: `task://${taskId}` })
    await hub.api('task.move', { task_id: handle, status: 'blocked' })
    await until(() => heard.length >= 2)
    expect(heard.toSorted()).toEqual([`task://${handle}`, `task://${taskId}`].toSorted())
    await client.unsubscribeResource({ uri: `task://${handle}` })
    heard.length = 0
    await hub.api('task.move', { task_id: handle, status: 'todo' })
    await until(() => heard.length >= 1)
    expect(heard).toEqual([`task://${taskId}`])
  }))

type Field = readonly [string, z.core.$ZodType]

function fieldsOf(schema: z.core.$ZodType): Field[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if ('innerType' in def) return fieldsOf(def.innerType)
  if (def.type === 'array') return fieldsOf(def.element)
  if (def.type !== 'object') return []
  return Object.entries(def.shape).flatMap(([name, field]): Field[] => [[name, field], ...fieldsOf(field)])
}

function markOf(schema: z.core.$ZodType): string | undefined {
  const mark = shortNames.get(schema)
  if (mark) return mark.of
  const { def } = (schema as z.core.$ZodTypes)._zod
  return 'innerType' in def ? markOf(def.innerType) : undefined
}
