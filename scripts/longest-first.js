// The order of test files: those that take longest first, so that no core waits at the end for the last of them. vitest orders by
// the time of the last run where it knows one; on a fresh clone it would go by size.
import { BaseSequencer } from 'vitest/node'

/** By the processor time that each took, with the programs that it started, on a machine with two cores. */
const LONGEST = [
  'test/web/screens',
  'test/web/terminals',
  'test/web/crew',
  'test/cli-up',
  'test/demo',
  'test/web/review',
  'test/cli',
  'test/web/changes',
  'test/web/demo',
  'test/web/behaviour',
  'test/cli-data',
  'test/below-a-process',
  'src/domains/thread/verified',
  'src/domains/thread/merging',
  'src/runner/runner',
  'test/thread',
  'src/domains/thread/agent-review',
  'src/domains/thread/review',
  'src/domains/thread/accepted-work',
  'src/hub/workspaces-runner',
  'src/domains/tabs/worktrees/worktrees',
  'src/kernel/terminals/host-terminals',
  'src/runner/several-runners',
  'src/domains/thread/radar',
  'src/domains/tabs/tools/launch-limits',
  'src/domains/thread/workspaces',
  'src/domains/tabs/tools/messages',
  'test/impersonation',
  'test/bad-input',
  'test/offers',
  'test/attacks/runner-token',
]

/** As in vitest.config.ts, each by the first word of its name. */
const PROJECTS = ['fast', 'slow', 'real', 'alone']

export class LongestFirst extends BaseSequencer {
  /** @override @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const rank = (/** @type {import('vitest/node').TestSpecification} */ { moduleId, project }) => {
      const named = moduleId.replace(/\.(slow|night)\.test\.ts$/, '')
      const at = LONGEST.findIndex(name => named.endsWith(`/${name}`))
      // A worker that files share ends when the next file in the order is none of them: project by project, and those with a worker
      // of their own last.
      return (at === -1 ? LONGEST.length : at) + 1000 * PROJECTS.indexOf(project.name.split(' ')[0] ?? '')
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
