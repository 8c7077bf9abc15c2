import { expect } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import type { Services } from '#hub/services.ts'
import type { Tool } from '#kernel/tool.ts'
import { callBy, invoke, onBoth, rowsOf, withoutAudit } from '#test/scene.ts'

const ids = { runId: 'run_1', crewId: 'grp-1-1', tabId: 'tab_1', epoch: 1, depth: 1, name: 'mac' }
const KINDS = ['agent', 'starter', 'run', 'tab', 'runner'] as const

/** One of each kind that is not a person; of runs also one that says that it reviews, and was not started for that. */
function callers({ projectId, agentId }: { projectId: string; agentId: string }): Caller[] {
  const plain = KINDS.map(kind => ({ ...ids, agentId, kind, projectId }) as unknown as Caller)
  return [...plain, { ...ids, kind: 'run', projectId, work: 'review' } as unknown as Caller]
}

onBoth('nobody gives a verdict by it but a run that was started to review', async scene => {
  const { hub } = scene
  const before = withoutAudit(await rowsOf(hub))
  for (const caller of [{ kind: 'operator' } as Caller, ...callers(scene)]) {
    const outcome = await invoke(hub, 'submit_review', { decision: 'accept', summary: 'good' }, callBy(caller))
    const code = outcome.ok ? 'ok' : outcome.error.code
    expect({ caller, code }).toEqual({ caller, code: expect.stringMatching(/^(NOT_ALLOWED|RUN_ENDED)$/) })
  }
  expect(withoutAudit(await rowsOf(hub))).toEqual(before)
})

onBoth('none of the ways in which people judge, merge and choose checks is open to others', async scene => {
  const { hub, projectId, taskId } = scene
  const task = { task_id: taskId }
  const doors: Record<string, Record<string, unknown>> = {
    'task.verdict': { ...task, decision: 'accept' },
    'task.comment': { ...task, text: 'x' },
    'task.uncomment': { comment_id: 'cmt_1' },
    'task.include': { ...task, paths: ['.env'] },
    'task.review': task,
    'task.review.ask': { ...task, agent_id: 'agt_a' },
    'task.merge': task,
    'task.pr': task,
    'task.pr.begin': { ...task, commit: 'abcdef0', remote: 'origin' },
    'task.pr.record': { ...task, commit: 'abcdef0', url: 'https://example.org/1' },
    'task.pr.end': { ...task, outcome: 'merged' },
    'task.move': { ...task, status: 'done' },
    'project.check.add': { project_id: projectId, name: 'test', command: ['true'] },
    'project.check.trust': { project_id: projectId },
    'project.check.remove': { project_id: projectId, name: 'test' },
    'project.edit': { project_id: projectId, accept: 'report' },
  }
  const operations = await hub.running.hub.operations()
  const before = withoutAudit(await rowsOf(hub))
  for (const [name, input] of Object.entries(doors))
    for (const caller of callers(scene)) {
      const operation = operations.find(name, { toolsets: ['api'] }) as Tool<Services>
      const outcome = await hub.running.hub.invoker.invoke(operation, input, callBy(caller))
      const code = outcome.ok ? 'ok' : outcome.error.code
      expect({ name, caller, code }).toEqual({
        name,
        caller,
        code: expect.stringMatching(/^(NOT_ALLOWED|RUN_ENDED)$/),
      })
    }
  expect(withoutAudit(await rowsOf(hub))).toEqual(before)
})
