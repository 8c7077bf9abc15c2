import { expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'
import { rowsOf } from '#test/scene.ts'

type Row = Record<string, unknown>

test.each(databases)('rows that no verb could have written are not imported (%s)', async database => {
  await using hub = await testHub({ database })
  await hub.api('project.add', { id: 'prj_x', name: 'x' })
  await hub.api('project.add', { id: 'prj_y', name: 'y' })
  await hub.api('task.add', { id: 'tsk_a', project_id: 'prj_x', title: 'a' })
  await hub.api('task.add', { id: 'tsk_b', project_id: 'prj_x', title: 'b', parent_id: 'tsk_a' })
  await hub.api('task.link', {
    task_id: 'tsk_b',
    depends_on: [(await hub.api('task.add', { id: 'tsk_c', project_id: 'prj_x', title: 'c' })).task_id],
  })
  await hub.api('task.add', { id: 'tsk_z', project_id: 'prj_y', title: 'z' })
  await hub.api('task.add', { id: 'tsk_q', project_id: 'prj_y', title: 'q', status: 'blocked' })
  await hub.api('task.answer', { task_id: 'tsk_q', answer: 'Go on.' })
  const lines = (await (await hub.fetch('/api/export')).text()).trim().split('\n')
  const withRow = (table: string, id: string, changes: Row) =>
    lines.map(line => {
      const read = JSON.parse(line) as { table?: string; row: Row }
      const isIt = read.table === table && (read.row['id'] === id || read.row['task_id'] === id)
      return isIt ? JSON.stringify({ ...read, row: { ...read.row, ...changes } }) : line
    })

  await using fresh = await testHub({ database })
  const attempt = async (text: string[]) => {
    const response = await fresh.fetch('/api/import', { method: 'POST', body: text.join('\n') })
    return { status: response.status, text: await response.text() }
  }
  const wrong: [string[], RegExp][] = [
    [withRow('tasks', 'tsk_a', { parent_id: 'tsk_b' }), /Task tsk_[ab] is a sub-task of itself or lies deeper/],
    [withRow('tasks', 'tsk_a', { parent_id: 'tsk_a' }), /Task tsk_[ab] is a sub-task of itself or lies deeper/],
    [
      withRow('tasks', 'tsk_a', { parent_id: 'tsk_z' }),
      /Task tsk_a is linked to tsk_z, which is not a task of its project/,
    ],
    [
      withRow('tasks', 'tsk_a', { parent_id: 'tsk_0' }),
      /Task tsk_a is linked to tsk_0, which is not a task of its project/,
    ],
    [withRow('task_links', 'tsk_b', { depends_on: 'tsk_z' }), /Task tsk_b is linked to tsk_z/],
    [
      withRow('projects', 'prj_x', { accept: 'bogus' }),
      /The accept of project prj_x is .*bogus.*, which I do not know/,
    ],
    [withRow('projects', 'prj_x', { workspace: 'bogus' }), /The workspace of project prj_x is/],
    [withRow('projects', 'prj_x', { merge: 'bogus' }), /The merge of project prj_x is/],
    [withRow('tasks', 'tsk_a', { status: 'bogus' }), /The status of task tsk_a is/],
    [withRow('tasks', 'tsk_a', { priority: 'bogus' }), /The priority of task tsk_a is/],
    [withRow('tasks', 'tsk_a', { blocked_facts: '{"kind":"bogus"}' }), /The blocked_facts of task tsk_a is/],
    [withRow('tasks', 'tsk_a', { blocked_facts: 'bogus' }), /The blocked_facts of task tsk_a is/],
    [
      withRow('task_answers', 'tsk_q', { question_facts: '{"kind":"conflicts"}' }),
      /The question_facts of task tsk_q is/,
    ],
  ]
  for (const [text, message] of wrong) {
    const answer = await attempt(text)
    expect(answer).toMatchObject({ status: 400, text: expect.stringMatching(message) })
    expect(answer.text).toContain('nothing was imported.')
    expect((await rowsOf(fresh, 'projects'))['projects']).toEqual([])
  }
  expect((await attempt(lines)).status).toBe(200)
})
