import type { ProjectId } from '#contract/id-types.ts'
import type { CheckView } from '#contract/thread.ts'
import type { PlannedCheck } from './model.ts'

export function checkView(projectId: ProjectId, check: PlannedCheck): CheckView {
  const { name, command, required, minutes, source, trusted } = check
  return { project_id: projectId, name, command: [...command], required, minutes, source, trusted }
}
