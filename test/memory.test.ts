import { describe, expect, test } from 'vitest'
import { databases, testHub } from './hub.ts'

describe.each(databases)('on %s', database => {
  test('a discussion is opened, held, decided, and found again', async () => {
    await using hub = await testHub({ database })
    const project = await hub.call('add-project', {
      name: '棟梁',
      description: 'メモリ',
      asana_url: 'https://app.asana.com/0/1',
    })
    expect(project.body).toMatchObject({ project_id: 1, name: '棟梁', asana_url: 'https://app.asana.com/0/1' })
    const listed = await hub.call('list_projects')
    expect(listed.body['projects']).toMatchObject([{ number: 1, name: '棟梁', working_directory: null }])
    const textId = (listed.body['projects'] as { project_id: string }[])[0]?.project_id

    const topic = await hub.call('add-topic', {
      project_id: 1,
      title: '認証の方式',
      description: 'JWT か セッションか',
    })
    expect(topic.body).toMatchObject({ topic_id: 1, project_id: 1, parent_topic_id: null })
    const child = await hub.call('add_topic', { project_id: textId, title: 'Token lifetime', parent_topic_id: 1 })
    expect(child.body).toMatchObject({ topic_id: 2, project_id: 1, parent_topic_id: 1, description: null })

    for (const content of [
      'AI: アクセストークンは15分で失効させます\nユーザー：同意します',
      'AI: Where do we keep refresh tokens?\nUser: In an httpOnly cookie.',
    ])
      await hub.call('add-log', { topic_id: 1, content })
    const decision = await hub.call('add-decision', {
      topic_id: 1,
      decision: '認証には ＪＷＴ を使う',
      reason: 'Stateless: no session store',
    })
    expect(decision.body).toMatchObject({ decision_id: 1, topic_id: 1, project_id: 1 })

    expect((await hub.call('get-decided-topics', { project_id: 1 })).body).toMatchObject({ topics: [{ id: 1 }] })
    expect((await hub.call('get-undecided-topics', { project_id: 1, parent_topic_id: 1 })).body).toMatchObject({
      topics: [{ id: 2 }],
    })
    expect((await hub.call('get-topic-tree', { project_id: 1, topic_id: 1 })).body).toMatchObject({
      tree: { id: 1, children: [{ id: 2, children: [] }] },
      truncated: false,
    })
    for (const keyword of ['jwt', 'ＪＷＴ', '認', '使う', 'session'])
      expect((await hub.call('search-decisions', { project_id: 1, keyword })).body).toMatchObject({
        decisions: [{ id: 1 }],
      })
    expect((await hub.call('search-topics', { project_id: textId, keyword: 'TOKEN' })).body).toMatchObject({
      topics: [{ id: 2 }],
    })

    const recalled = await hub.call('recall', { project_id: 1, query: 'httpOnly cookie for refreshing' })
    expect(recalled.body).toMatchObject({
      results: [{ kind: 'log', id: 2, topic_id: 1, topic_path: '認証の方式', title: '認証の方式' }, {}, {}],
    })
    const japanese = await hub.call('recall', { project_id: 1, queries: ['JWT を使う理由', 'why JWT'] })
    expect(japanese.body).toMatchObject({
      results: [
        { kind: 'decision', id: 1 },
        { kind: 'topic', id: 1 },
      ],
    })
  })
})
