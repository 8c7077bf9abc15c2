import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Toryo } from './toryo.ts'

test('people keep, read, find and take away what was decided', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', '通販', '--id', 'shop')
  const topic = await toryo.json(
    'memory',
    'add',
    '認証の方式',
    '--project',
    'shop',
    '--description',
    'JWT か session か',
  )
  expect(topic).toMatchObject({ topic_id: 1, project_id: 1 })
  await toryo.json('memory', 'add', 'AI: JWT はどうですか\nユーザー: 賛成', '--topic', '1')
  await toryo.json('memory', 'add', 'Use sessions', '--topic', '1', '--reason', 'simple')
  const decision = [
    'memory',
    'add',
    'ＪＷＴ を使う',
    '--topic',
    '1',
    '--reason',
    'no session store',
    '--supersedes',
    '1',
  ]
  expect(await toryo.json(...decision)).toMatchObject({ decision_id: 2, supersedes: 1 })

  expect(await toryo.json('memory', 'list', '--project', 'shop', '--decided')).toMatchObject({ topics: [{ id: 1 }] })
  expect(await toryo.json('memory', 'list', '--project', '1', '--undecided')).toEqual({ topics: [] })
  const log = await toryo.here(['memory', 'log', '1'])
  expect(log.out).toMatch(
    /認証の方式[\s\S]*AI: JWT はどうですか\n {2}ユーザー: 賛成[\s\S]*✗ DECISION 1[\s\S]*replaced by decision 2[\s\S]*✓ DECISION 2/,
  )
  const found = await toryo.here(['memory', 'search', 'jwt', '--project', 'shop'])
  expect(found.out).toMatch(/decision +2 +ＪＷＴ を使う — no session store\ntopic +1 +認証の方式/)
  const recalled = await toryo.json('memory', 'recall', 'session store', '--project', 'shop', '--kind', 'decision')
  expect(recalled).toMatchObject({ results: [{ id: 2 }, { id: 1 }] })
  const decisions = await toryo.here(['memory', 'decisions', '--project', 'shop'])
  expect(decisions.out.indexOf('DECISION 2')).toBeLessThan(decisions.out.indexOf('DECISION 1'))

  await toryo.json('project', 'add', 'copy', '--id', 'copy')
  const whole = await toryo.json<{ records: unknown[] }>('memory', 'export', '--project', 'shop')
  expect(whole.records).toHaveLength(4)
  for (const name of ['memory.md', 'memory.jsonl']) {
    expect(await toryo.json('memory', 'export', name, '--project', 'shop')).toMatchObject({ records: 4 })
    expect(await toryo.json('memory', 'import', name, '--project', 'copy')).toMatchObject({ records: 4 })
    expect((await toryo.here(['memory', 'export', name, '--project', 'shop'])).code).toBe(2)
  }
  expect(fs.readFileSync(path.join(toryo.folder, 'memory.md'), 'utf8')).toContain('> ＪＷＴ を使う')
  const copies = await toryo.json<{ decisions: object[] }>('memory', 'decisions', '--project', 'copy')
  expect(copies.decisions).toMatchObject([
    { decision: 'ＪＷＴ を使う' },
    { superseded_by: 6 },
    {},
    { superseded_by: 4 },
  ])

  fs.writeFileSync(path.join(toryo.folder, 'bad.md'), '# nothing\n')
  expect(await toryo.here(['memory', 'import', 'bad.md', '--project', 'copy'])).toMatchObject({ code: 1 })
  expect((await toryo.here(['memory', 'add', 'x'])).code).toBe(2)
  expect((await toryo.here(['memory', 'log', 'x'])).code).toBe(2)
  expect((await toryo.here(['memory', 'log', '99'])).code).toBe(1)
})

test('in the folder of a project no project need be named', async () => {
  await using toryo = new Toryo()
  await toryo.here(['project', 'add', '通販', '--id', 'shop', '--dir', '.'])
  expect(await toryo.json('memory', 'add', '認証の方式')).toMatchObject({ topic_id: 1, project_id: 1 })
  await toryo.here(['memory', 'add', 'JWT', '--topic', '1', '--reason', 'r'])
  expect(await toryo.json('memory', 'list')).toMatchObject({ topics: [{ id: 1 }] })
  expect(await toryo.json('memory', 'search', '認証')).toMatchObject({ topics: [{ id: 1 }] })
  expect(await toryo.json('memory', 'recall', '認証')).toMatchObject({ results: [{ kind: 'topic', id: 1 }, {}] })
  expect(await toryo.json('memory', 'decisions')).toMatchObject({ decisions: [{ decision: 'JWT' }] })
  await toryo.here(['memory', 'export', 'kept.jsonl'])
  expect(await toryo.json('memory', 'import', 'kept.jsonl')).toMatchObject({ records: 2 })
  await using other = new Toryo()
  expect(await other.run(['memory', 'list'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/no project has the folder .*`toryo project list`/),
  })
})
