// Starts that are due and that no Runner that is there can take: people are notified, since nothing else will happen.
import type { Text } from '#contract/errors.ts'
import type { AgentId } from '#contract/id-types.ts'
import { sentenceOf, type Unmet } from '#domains/identity/abilities.ts'
import type { Services } from './services.ts'

export type Waiting = Unmet & { agentId: AgentId; agentName: string; projectName: string; problem: Text }

/** As many as a person would read; the others wait for the same. */
const MOST = 500

/** Asked again and again: by as many queries, however many there are. */
export async function waitingStarts({ claims, projects }: Pick<Services, 'claims' | 'projects'>): Promise<Waiting[]> {
  const waiting = (await claims.listWaiting()).slice(0, MOST)
  const names = await projects.namesOf(waiting.map(({ projectId }) => projectId))
  return waiting.map(({ agent, ...unmet }) => ({
    ...{
      ...unmet,
      agentId: agent.id,
      agentName: agent.name,
      projectName: names.get(unmet.projectId) ?? '',
    },
    problem: sentenceOf(unmet),
  }))
}
