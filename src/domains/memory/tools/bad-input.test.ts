import { describe, expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'

const LONG = 'あ'.repeat(100_001)

describe.each(databases)('on %s', database => {
  test('bad input is refused with the same codes, and nothing is written', async () => {
    await using hub = await testHub({ database })
    await hub.call('add-project', { name: 'a' })
    await hub.call('add-project', { name: 'b' })
    await hub.call('add-topic', { project_id: 1, title: 'of a' })
    await hub.call('add-topic', { project_id: 2, title: 'of b' })
    await hub.call('add-decision', { project_id: 2, decision: 'of b', reason: 'r' })
    const before = await hub.running.hub.events.latest()

    const invalid = 'INVALID_PARAMETER'
    const missing = 'NOT_FOUND'
    const cases: [string, Record<string, unknown>, string, (string | RegExp)?][] = [
      ['add-project', {}, invalid],
      ['add-project', { name: 'a' }, invalid, /exists/],
      ['add-project', { name: '  ' }, invalid],
      ['add-project', { name: 'c', asana_url: 'javascript:alert(1)' }, invalid, /http/],
      ['add-project', { name: 'c', asana_url: 'ftp://example.com' }, invalid],
      ['add-topic', { title: 't' }, invalid, /project_id/],
      ['add-topic', { project_id: 9, title: 't' }, missing],
      ['add-topic', { project_id: 'prj_no', title: 't' }, missing],
      ['add-topic', { project_id: 1.5, title: 't' }, invalid],
      ['add-topic', { project_id: 1, title: '' }, invalid],
      ['add-topic', { project_id: 1, title: ' \n' }, invalid],
      ['add-topic', { project_id: 1, title: LONG }, invalid, /100000/],
      ['add-topic', { project_id: 1, title: 't', description: LONG }, invalid, /100000/],
      ['add-topic', { project_id: 1, title: 't', parent_topic_id: 2 }, missing],
      ['add-topic', { project_id: 1, title: 't', parent_topic_id: 99 }, missing],
      ['add-topic', { project_id: 1, title: 'nul \0' }, invalid, /NUL/],
      ['add-topic', { project_id: 1, title: 'half \ud800' }, invalid],
      ['add-log', { topic_id: 99, content: 'c' }, missing],
      ['add-log', { topic_id: 1 }, invalid, /content/],
      ['add-log', { topic_id: '1', content: 'c' }, invalid],
      ['add-log', { topic_id: 1, content: LONG }, invalid, /100000/],
      ['add-decision', { topic_id: 1, decision: 'd' }, invalid, /reason/],
      ['add-decision', { topic_id: 99, decision: 'd', reason: 'r' }, missing],
      ['add-decision', { topic_id: 1, project_id: 2, decision: 'd', reason: 'r' }, missing],
      ['add-decision', { topic_id: 1, decision: 'd', reason: 'r', supersedes: 1 }, missing],
      ['add-decision', { decision: 'd', reason: 'r', supersedes: 1 }, missing],
      ['get-topics', { project_id: 1, limit: 0 }, invalid],
      ['get-topics', { project_id: 1, limit: -1 }, invalid],
      ['get-topics', { project_id: 1, limit: '5' }, invalid],
      ['get-topics', { project_id: 1, parent_topic_id: 2 }, missing],
      ['get-topic-tree', { project_id: 1, topic_id: 2 }, missing],
      ['get-logs', { topic_id: 99 }, missing],
      ['get-decisions', { topic_id: 99 }, missing],
      ['get-projects', { limit: 0 }, invalid],
      ['search-topics', { project_id: 1, keyword: '' }, invalid],
      ['search-topics', { project_id: 1, keyword: 'x'.repeat(60_000) }, invalid],
      ['search-decisions', { project_id: 1, keyword: 'half \udfff' }, invalid],
      ['search-decisions', { project_id: 9, keyword: 'x' }, missing],
      ['recall', { project_id: 1 }, invalid],
      ['recall', { project_id: 1, queries: [] }, invalid],
      ['recall', { project_id: 1, queries: ['1', '2', '3', '4', '5', '6'] }, invalid],
      ['recall', { project_id: 1, query: 'x', kinds: ['thought'] }, invalid],
      ['recall', { project_id: 1, query: 'x', topic_id: 2 }, missing],
    ]
    for (const [tool, args, code, message] of cases) {
      const { body, isError } = await hub.call(tool, args)
      const shown = `${tool} ${JSON.stringify(args).slice(0, 80)}`
      expect(isError, shown).toBe(true)
      expect(body, shown).toMatchObject({
        error: { code, ...(message !== undefined && { message: expect.stringMatching(message) as string }) },
      })
    }
    expect(await hub.running.hub.events.latest()).toBe(before)
    expect((await hub.call('get-topics', { project_id: 1 })).body).toMatchObject({ topics: [{ id: 1 }] })

    const large = await hub.call('get-topics', { project_id: 1, limit: 1e9 })
    expect(large.isError).toBe(false)
  })
})

test('a storage fault is a DATABASE_ERROR', async () => {
  await using hub = await testHub()
  await hub.call('add-project', { name: 'a' })
  const { errorBody } = await import('#transports/errors.ts')
  const { CoreError } = await import('#contract/errors.ts')
  expect(errorBody('memory', CoreError.STORAGE_FULL(), 'en')).toMatchObject({
    error: { code: 'DATABASE_ERROR', reason: 'STORAGE_FULL' },
  })
})
