// Starts that are due and that no Runner that is there can take: people are notified, since nothing else will happen.
import type { Text } from '#contract/errors.ts'
import type { AgentId } from '#contract/id-types.ts'
import { sentenceOf, type Unmet } from '#domains/identity/abilities.ts'
import type { Services } from './services.ts'

export type Waiting = Unmet & { agentId: AgentId; agentName: string; projectName: string; problem: Text }

/** As many as a person would read; the others wait for the same, or for their turn. */
const LOOKED_AT = 500

export async function waitingStarts(services: Pick<Services, 'claims' | 'tasks' | 'projects'>): Promise<Waiting[]> {
  const waiting: Waiting[] = []
  for (const { agentId, projectId } of await services.tasks.listDue(LOOKED_AT)) {
    const unmet = await services.claims.waitsFor(agentId, projectId)
    const project = unmet && (await services.projects.find(projectId))
    if (project) waiting.push({ ...unmet, agentId, projectName: project.name, problem: sentenceOf(unmet) })
  }
  return waiting
}
