// The names that exist now, for shell completion: asked from a hub that runs, and nothing at all without one.
import type { Connection } from '../connect.ts'

/** What `<task>`, `<project>` … in the commands stand for. */
export const KINDS = ['task', 'project', 'agent', 'tab', 'worktree', 'branch', 'engine', 'crew', 'run'] as const
export type Kind = (typeof KINDS)[number]

/** As many as a person looks through. */
const MOST = 200

type Name = { readonly name: string; readonly about?: string | null }

export async function namesOf(hub: Connection, kind: Kind, cwd: string, signal: AbortSignal): Promise<Name[]> {
  const options = { signal }
  const page = { limit: MOST }
  switch (kind) {
    case 'task': {
      const { tasks } = await hub.call('task.list', page, options)
      return tasks.map(({ handle, title }) => ({ name: handle, about: title }))
    }
    case 'project': {
      const { projects } = await hub.call('project.list', page, options)
      return projects.map(({ key, name }) => ({ name: key, about: name }))
    }
    case 'agent': {
      const { agents } = await hub.call('agent.list', page, options)
      return agents.map(({ agent_id, name, engine }) => ({ name: isPlain(name) ? name : agent_id, about: engine }))
    }
    case 'tab': {
      const { tabs } = await hub.call('tab.list', page, options)
      return tabs.map(({ tab_id, branch, engine }) => ({ name: isPlain(branch) ? branch : tab_id, about: engine }))
    }
    case 'worktree': {
      const { worktrees } = await hub.call('worktree.list', page, options)
      return worktrees.flatMap(({ branch, path }) => (branch === null ? [] : [{ name: branch, about: path }]))
    }
    case 'branch': {
      const { project } = await hub.call('project.here', { directory: cwd }, options)
      if (!project) return []
      const { branches } = await hub.call('branch.list', { project_id: project.project_id }, options)
      return branches.map(({ name }) => ({ name }))
    }
    case 'engine': {
      const { engines } = await hub.call('engine.list', {}, options)
      return engines.map(({ engine, program }) => ({ name: engine, about: program }))
    }
    case 'crew': {
      const { crews } = await hub.call('crew.list', page, options)
      return crews.map(({ crew_id, description }) => ({ name: crew_id, about: description }))
    }
    default: {
      const { work } = await hub.call('work.list', { ended: 20, last_actions: false }, options)
      return work.map(({ work_id, name, handle }) => ({
        name: work_id,
        about: [name, handle].filter(Boolean).join(' '),
      }))
    }
  }
}

/** Shells put it into the command line as it is: nothing in it may mean anything to one of them. */
export function isPlain(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}._/@+-]*$/u.test(name)
}
