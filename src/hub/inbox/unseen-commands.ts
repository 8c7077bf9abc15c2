import { access } from 'node:fs/promises'
import type { Text } from '#contract/errors.ts'
import type { InboxItem } from '#contract/inbox.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { digest } from '#kernel/ids.ts'
import type { Services } from '../services.ts'
import { type Facts, item } from './item.ts'

type Unseen = {
  projectId: ProjectId
  key: string
  /** The name of the check; null: the setup. */
  check: string | null
  title: Text
  command: readonly string[]
  look: string
}

/** A check or setup command that came from another machine: it would run here, as this user, and nobody here has looked at it. */
export async function unseenCommands({ services, lang, projectId, names }: Facts): Promise<InboxItem[]> {
  const found = await listUnseenCommands(services, projectId)
  return Promise.all(
    found.map(async one =>
      item({
        ...{ kind: 'command' as const, at: null, title: one.title[lang], detail: JSON.stringify(one.command) },
        about: `${one.projectId}:${one.check === null ? 'setup' : `check:${one.check}`}:${digest(JSON.stringify(one.command)).slice(0, 16)}`,
        project_id: one.projectId,
        project_name: await names.project(one.projectId),
        allows: { check: one.check, command: [...one.command] },
        command: one.look,
      }),
    ),
  )
}

/** Of projects whose folder is here. Reads files: not for use inside a transaction. */
export async function listUnseenCommands(
  { checks, worktrees, projects }: Pick<Services, 'checks' | 'worktrees' | 'projects'>,
  only?: ProjectId,
): Promise<Unseen[]> {
  const ofChecks = (await checks.listUnseen(only)).map(({ projectId, check: { name, command } }) => ({
    ...{ projectId, command, check: name, title: TITLES.check(name) },
    look: (key: string) => `toryo project check trust ${name} --project ${key}`,
  }))
  const ofSetups = (await worktrees.unseenSetups()).map(({ projectId, command }) => ({
    ...{ projectId, command, check: null, title: TITLES.setup },
    look: (key: string) => `toryo project setup ${key} --trust`,
  }))
  const all = [...ofChecks, ...ofSetups].filter(({ projectId }) => only === undefined || projectId === only)
  const here = await Promise.all(
    all.map(async ({ look, ...one }) => {
      const project = await projects.find(one.projectId)
      const isHere = project?.active && project.directory !== null && (await exists(project.directory))
      return isHere ? [{ ...one, key: project.key, look: look(project.key) }] : []
    }),
  )
  return here.flat()
}

const TITLES = {
  check: (name: string): Text => ({
    en: `Check ${name} was added on another machine and does not run here yet`,
    ja: `別のマシンで追加されたチェック ${name} は、まだここでは実行しません`,
  }),
  setup: {
    en: 'The setup command was allowed on another machine and does not run here yet',
    ja: '別のマシンで許可されたセットアップコマンドは、まだここでは実行しません',
  },
}

function exists(folder: string): Promise<boolean> {
  return access(folder).then(
    () => true,
    () => false,
  )
}
