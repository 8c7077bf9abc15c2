import type { CrewView } from '#contract/crews.ts'
import type { RunId } from '#contract/id-types.ts'
import { iso } from '#kernel/clock.ts'
import type { Crew } from './crew-model.ts'

export function crewView(crew: Crew, agentIds: RunId[]): CrewView {
  return {
    groupId: crew.id,
    description: crew.description,
    mode: crew.mode,
    status: crew.deletedAt === null ? 'active' : 'deleted',
    createdAt: iso(crew.createdAt),
    agentIds,
  }
}
