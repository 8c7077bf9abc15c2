import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { confinedTo } from '#contract/access.ts'
import type { Places } from '#domains/runs/ports.ts'
import type { Projects } from '#domains/projects/projects.ts'
import type { CrewRuns } from '#domains/runs/crew-runs.ts'
import type { Tabs } from '#domains/tabs/service.ts'
import type { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import type { Owners } from '#domains/trust/ports.ts'

/** Whose folder it is: the nearest project's from here up, also where it lies in a worktree of one. */
export function ownersOf(projects: Projects, worktrees: Pick<Worktrees, 'at'>): Owners {
  return {
    async of(directory) {
      const start = await realpath(directory).catch(() => directory)
      for (let folder = start; ; folder = dirname(folder)) {
        const worktree = await worktrees.at(folder)
        const project = worktree ? await projects.find(worktree.projectId) : await projects.findByDirectory([folder])
        if (project?.directory) return { id: project.id, directory: project.directory }
        if (folder === dirname(folder)) return undefined
      }
    },
  }
}

/** Where runs may work: callers that belong to a project in its folder, a run besides in its own, a tab in its worktree. */
export function placesOf(projects: Projects, runs: CrewRuns, tabs: Pick<Tabs, 'find'>): Places {
  return {
    async rootsOf(by) {
      const id = confinedTo(by)
      if (id === undefined) return undefined
      const project = id === null ? undefined : await projects.find(id)
      const run = by.kind === 'run' ? await runs.find(by.runId) : undefined
      const tab = by.kind === 'tab' ? await tabs.find(by.tabId) : undefined
      const folders = [run?.directory, tab?.worktreePath, project?.directory].filter(
        folder => typeof folder === 'string',
      )
      return Promise.all(folders.map(folder => realpath(folder).catch(() => folder)))
    },
    async projectAt(directory) {
      for (let folder = directory; ; folder = dirname(folder)) {
        const project = await projects.findByDirectory([folder])
        if (project) return project.id
        if (folder === dirname(folder)) return null
      }
    },
  }
}
