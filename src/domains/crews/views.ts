import type { CrewView } from '#contract/crews.ts'
import { iso } from '#kernel/clock.ts'
import type { Crew } from './model.ts'

export function crewView(crew: Crew, agentIds: string[]): CrewView {
  return {
    groupId: crew.id,
    description: crew.description,
    mode: crew.mode,
    status: crew.deletedAt === null ? 'active' : 'deleted',
    createdAt: iso(crew.createdAt),
    agentIds,
  }
}
