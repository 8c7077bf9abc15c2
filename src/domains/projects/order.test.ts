// Where tasks stand in their column, as a person put them.
import { describe, expect, test } from 'vitest'
import { placeOf } from '#contract/task-order.ts'
import { databases, type TestHub } from '#test/hub.ts'
import { eventsOf, onStage, rowsOf } from '#test/scene.ts'

/** As every page shows it. */
async function column(hub: TestHub, status: string): Promise<string[]> {
  const { cards } = await hub.api('task.cards', {})
  const numberOf = (handle: string) => Number(handle.slice(handle.lastIndexOf('-') + 1))
  return cards
    .filter(card => card.status === status)
    .map(card => ({ title: card.title, place: placeOf({ ...card, number: numberOf(card.handle) }) }))
    .sort((a, b) => a.place - b.place)
    .map(({ title }) => title)
}

describe.each(databases)('on %s', database => {
  test('a task is put behind another, to the front and to the end; another status has an order of its own', () =>
    onStage({ database }, async ({ hub, projectId }) => {
      const add = async (title: string, priority: 'urgent' | 'low') =>
        (await hub.api('task.add', { project_id: projectId, title, status: 'backlog', priority })).task_id
      const [a, b, c, d] = [
        await add('a', 'urgent'),
        await add('b', 'urgent'),
        await add('c', 'low'),
        await add('d', 'low'),
      ]
      expect(await column(hub, 'backlog')).toEqual(['a', 'b', 'c', 'd'])
      await hub.api('task.order', { task_id: d, behind: a })
      expect(await column(hub, 'backlog')).toEqual(['a', 'd', 'b', 'c'])
      await hub.api('task.order', { task_id: c, behind: null })
      await hub.api('task.order', { task_id: a, behind: b })
      expect(await column(hub, 'backlog')).toEqual(['c', 'd', 'b', 'a'])

      // Called by their handles.
      const handles = (await hub.api('task.cards', { ids: [a, b] })).cards.map(({ handle }) => handle)
      await hub.api('task.order', { task_id: handles[0] ?? '', behind: null })
      expect(await column(hub, 'backlog')).toEqual(['a', 'c', 'd', 'b'])
      await hub.api('task.order', { task_id: handles[0] ?? '', behind: handles[1] ?? '' })
      expect(await column(hub, 'backlog')).toEqual(['c', 'd', 'b', 'a'])

      // Said twice, or where it stands already: nothing is announced.
      await hub.api('task.order', { task_id: a, behind: b })
      await hub.api('task.order', { task_id: a, behind: a })
      await hub.api('task.order', { task_id: c, behind: null })
      expect(eventsOf(await rowsOf(hub, 'events'), 'task.ordered')).toHaveLength(5)

      // Its place is of its column: elsewhere it stands by priority, and comes back to where it was.
      await hub.api('task.move', { task_id: c, status: 'todo' })
      expect((await hub.api('task.cards', { ids: [c] })).cards[0]?.rank).toBeNull()
      await hub.api('task.move', { task_id: c, status: 'backlog' })
      expect(await column(hub, 'backlog')).toEqual(['c', 'd', 'b', 'a'])
      expect(await hub.api('task.edit', { task_id: c, title: 'c2' })).toMatchObject({ title: 'c2' })
      expect(await column(hub, 'backlog')).toEqual(['c2', 'd', 'b', 'a'])
    }))

  test('a column whose numbers are used up is counted again, in the same order', () =>
    onStage({ database }, async ({ hub, projectId }) => {
      const ids: string[] = []
      for (const title of ['a', 'b', 'c'])
        ids.push((await hub.api('task.add', { project_id: projectId, title, status: 'backlog' })).task_id)
      const [a = '', b = '', c = ''] = ids
      // Each halves what is left between the first and the one behind it.
      for (let turn = 0; turn < 40; turn++) await hub.api('task.order', { task_id: turn % 2 ? b : c, behind: a })
      expect(await column(hub, 'backlog')).toEqual(['a', 'b', 'c'])
      const facts = eventsOf(await rowsOf(hub, 'events'), 'task.ordered')
      expect(facts).toHaveLength(40)
      expect(facts.filter(fact => fact['spread'] === true)).toHaveLength(1)
    }))

  test('an order is refused whole: of a task that is done, behind one of another status, behind none', () =>
    onStage({ database }, async ({ hub, taskId, projectId }) => {
      const fresh = async (status: 'done' | 'backlog') =>
        (await hub.api('task.add', { project_id: projectId, title: status, status })).task_id
      const [done, planned] = [await fresh('done'), await fresh('backlog')]
      const before = await rowsOf(hub)
      const order = (task_id: string, behind: string | null) => hub.api('task.order', { task_id, behind })
      await expect(order(done, null)).rejects.toThrow('TASK_NOT_IN_ORDER')
      await expect(order(taskId, planned)).rejects.toThrow('TASKS_APART')
      await expect(order(taskId, 'tsk_none')).rejects.toThrow('TASK_NOT_FOUND')
      await expect(order('tsk_none', null)).rejects.toThrow('TASK_NOT_FOUND')
      const after = await rowsOf(hub)
      expect(after['tasks']).toEqual(before['tasks'])
      expect(eventsOf(after, 'task.ordered')).toEqual([])
    }))
})
