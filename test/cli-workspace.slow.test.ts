// What a person sees of workspaces in a terminal.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Repo } from './git.ts'
import { Toryo } from './toryo.ts'

test('project add says what it chose in a repository, and how to have it otherwise', async () => {
  await using toryo = new Toryo()
  const repo = new Repo(path.join(toryo.folder, 'shop'))
  fs.mkdirSync(repo.root)
  repo.git('init', '-q', '-b', 'main')
  repo.commit()
  fs.mkdirSync(path.join(toryo.folder, 'plain'))
  const added = await toryo.here(['project', 'add', 'Shop', '--id', 'shop', '--dir', 'shop'])
  expect(added).toMatchObject({ code: 0 })
  expect(added.out).toBe(
    [
      'Added Shop (shop).',
      'Each task gets a workspace: a worktree and a branch of its own. To let agents work in the folder itself: toryo project edit shop --workspace folder --accept report',
      'Reported work waits until a person accepts it. To accept it on the report or on passed checks: toryo project edit shop --accept report (or checks)',
      '',
    ].join('\n'),
  )
  const japanese = await toryo.here(['project', 'add', '店', '--id', 'mise', '--dir', 'shop'], {
    env: { TORYO_LANG: 'ja' },
  })
  expect(japanese.out).toContain('タスクごとにワークスペース (専用のワークツリーとブランチ) を作ります。')
  expect((await toryo.here(['project', 'add', 'Plain', '--id', 'plain', '--dir', 'plain'])).out).toBe(
    'Added Plain (plain).\n',
  )
  const shown = await toryo.here(['project', 'show', 'shop'])
  expect(shown.out).toMatch(/workspace +one for each task\n/)
  expect(shown.out).toMatch(/accepted by +a person\n/)
  const edited = ['project', 'edit', 'shop', '--workspace', 'folder', '--accept', 'report', '--base', 'main']
  expect(await toryo.json(...edited)).toMatchObject({ workspace: 'folder', accept: 'report', base: 'main' })
  expect(await toryo.json('project', 'edit', 'shop', '--base', '')).toMatchObject({ base: null })
  expect(await toryo.here(['project', 'edit', 'shop', '--accept', 'checks', '--json'])).toMatchObject({ code: 2 })
  expect(await toryo.here(['project', 'edit', 'shop'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--workspace'),
  })
})

test('a reviewer is named as agents are, and a launch takes a branch or a task', async () => {
  await using toryo = new Toryo()
  const repo = new Repo(path.join(toryo.folder, 'shop'))
  fs.mkdirSync(repo.root)
  repo.git('init', '-q', '-b', 'main')
  repo.commit()
  await toryo.json('agent', 'add', 'Reviewer Ren', '--id', 'agt_ren', '--engine', 'claude')
  const wish = ['--accept', 'agent', '--reviewer', 'Reviewer Ren', '--merge', 'squash']
  const project = await toryo.json('project', 'add', 'Shop', '--id', 'shop', '--dir', 'shop', ...wish)
  expect(project).toMatchObject({ accept: 'agent', reviewer_id: 'agt_ren', merge: 'squash', workspace: 'task' })
  expect((await toryo.here(['tab', 'launch', 'claude'])).code).toBe(2)
  expect((await toryo.here(['tab', 'launch', 'claude', 'main', '--task', 'x'])).code).toBe(2)
  expect((await toryo.here(['crew', 'run', '--role', 'tester', '--dir', '.', '--task', 'x', 'go'])).code).toBe(2)
})
