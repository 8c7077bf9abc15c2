// Whoever names no project means that of the folder it works in, as with phases.
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'

describe.each(databases)('memory without project_id on %s', database => {
  test('is that of the project whose folder the client is in, or that contains it', async () => {
    await using hub = await testHub({ database })
    const folder = join(realpathSync(hub.home), 'shop')
    mkdirSync(join(folder, 'src'), { recursive: true })
    const { number } = await hub.api('project.add', { id: 'shop', name: 'shop', directory: folder })
    await hub.api('project.add', { id: 'other', name: 'other' })
    for (const directory of [folder, join(folder, 'src')]) {
      const agent = await hub.connect({ directory })
      const call = async (tool: string, args: Record<string, unknown>) => {
        const { body, isError } = await agent.call(tool, args)
        expect({ tool, isError, body }).toMatchObject({ isError: false })
        return body
      }
      const topic = await call('add-topic', { title: 'How users sign in' })
      expect(topic['project_id']).toBe(number)
      const topic_id = topic['topic_id']
      await call('add-decision', { topic_id, decision: 'JWT it is', reason: 'no session store' })
      for (const tool of ['get-topics', 'get-decided-topics'])
        expect((await call(tool, {}))['topics']).toContainEqual(expect.objectContaining({ id: topic_id }))
      expect((await call('get-undecided-topics', {}))['topics']).toEqual([])
      expect((await call('get-topic-tree', { topic_id }))['tree']).toMatchObject({ id: topic_id })
      expect((await call('search-topics', { keyword: 'sign in' }))['topics']).not.toEqual([])
      expect((await call('search-decisions', { keyword: 'JWT' }))['decisions']).not.toEqual([])
      expect((await call('recall', { query: 'sign in' }))['results']).not.toEqual([])
    }
    // Who names one means that one.
    const agent = await hub.connect({ directory: folder })
    expect((await agent.call('get-topics', { project_id: 'other' })).body).toEqual({ topics: [] })
  })

  test('is that of the session for an agent that signed in', async () => {
    await using hub = await testHub({ database })
    const { agentId, passkey, projectId } = await hub.seed()
    const agent = await hub.connect({ directory: '/' })
    await agent.signIn(agentId, passkey, projectId)
    expect((await agent.call('add-topic', { title: 't' })).body).toMatchObject({ project_id: 1 })
  })

  test('is refused where no project is meant, and makes none', async () => {
    await using hub = await testHub({ database })
    const nowhere = await hub.connect()
    expect((await nowhere.call('add-topic', { title: 't' })).body).toEqual({
      error: {
        code: 'INVALID_PARAMETER',
        message: 'project_id is required: this connection has no folder whose project could be meant.',
        reason: 'INVALID_ARGUMENT',
      },
    })
    const folder = await hub.connect({ directory: hub.home })
    expect((await folder.call('get-topics', {})).body).toMatchObject({
      error: { code: 'INVALID_PARAMETER', message: expect.stringMatching(/^project_id is required: no project/) },
    })
    expect((await hub.api('project.list', {})).projects).toEqual([])
  })
})
