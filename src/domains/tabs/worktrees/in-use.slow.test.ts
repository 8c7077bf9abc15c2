import path from 'node:path'
import { expect, test } from 'vitest'
import type { ProjectId } from '#contract/id-types.ts'
import { migrations } from '#hub/schema.ts'
import { plainTime } from '../../../../test/plain-time.ts'
import { systemClock } from '#kernel/clock.ts'
import { parseConfig } from '#kernel/config.ts'
import { EventLog } from '#kernel/events.ts'
import { Git } from '#kernel/git/git.ts'
import { systemIds } from '#kernel/ids.ts'
import { placeFor, quietLog } from '../../../../test/database.ts'
import { Yard } from '../../../../test/git.ts'
import { databases } from '../../../../test/hub.ts'
import { Worktrees } from './worktrees.ts'

const OPERATOR = { kind: 'operator' } as const

test.each(databases)('a worktree in which a tab lives is WORKTREE_IN_USE: %s', async kind => {
  using yard = new Yard()
  const repo = yard.repository()
  repo.write('a', 'a')
  repo.commit()
  await using place = await placeFor(kind, { migrated: true })
  await using database = await place.open(migrations)
  const project = { id: 'p', name: 'p', description: '', directory: repo.root, active: 1, created_at: 0 }
  await database.tx(async tx => {
    await tx.tables<{ projects: typeof project }>().insertInto('projects').values(project).execute()
  })
  const living = new Map<string, string>()
  const log = quietLog()
  const worktrees = new Worktrees({
    machine: 'here:0',
    database,
    events: new EventLog({ database, clock: systemClock, log }),
    clock: plainTime,
    ids: systemIds,
    log,
    git: new Git({ folder: path.join(yard.home, 'git'), env: process.env }),
    folder: path.join(yard.home, 'worktrees'),
    env: {},
    config: () => parseConfig('{}', 'config.json'),
    projects: { get: async id => ({ id, directory: repo.root }) },
    tabs: { at: async folder => living.get(folder) },
    hub: OPERATOR,
  })
  const wish = { projectId: 'p' as ProjectId, directory: repo.root, branch: 'feature' }
  const made = await worktrees.ensure(wish, OPERATOR)
  living.set(made.path, 'tab_1')
  const refused = { code: 'WORKTREE_IN_USE', details: { branch: 'feature', tabId: 'tab_1' } }
  await expect(worktrees.ensure(wish, OPERATOR)).rejects.toMatchObject(refused)
  await expect(worktrees.remove(made.id, { force: true }, OPERATOR)).rejects.toMatchObject(refused)
  living.clear()
  expect((await worktrees.remove(made.id, {}, OPERATOR)).state).toBe('trashed')
  await worktrees.dispose()
})
