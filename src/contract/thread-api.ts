// The part of the HTTP API on which work goes from a report to a verdict. `api.ts` has the rest.
import { z } from 'zod'
import { CheckName } from './check-name.ts'
import { ProjectId, TaskId } from './id-types.ts'
import { CheckView } from './thread.ts'

const somewhere = { project_id: ProjectId.optional(), directory: z.string().min(1).max(4096).optional() }
const operation = <I extends z.ZodObject, O extends z.ZodObject>(input: I, output: O) => ({ input, output })
const CheckList = z.object({ project_id: ProjectId, checks: z.array(CheckView) })

export const threadApi = {
  'project.check.add': operation(
    z.object({
      ...somewhere,
      name: CheckName,
      command: z.array(z.string().min(1).max(4096)).min(1).max(200),
      optional: z.boolean().optional(),
      minutes: z.number().positive().max(1440).optional(),
    }),
    CheckView,
  ),
  'project.check.list': operation(z.object(somewhere), CheckList),
  'project.check.remove': operation(
    z.object({ ...somewhere, name: CheckName }),
    z.object({ project_id: ProjectId, name: z.string() }),
  ),
  'project.check.trust': operation(
    z.object({
      ...somewhere,
      name: CheckName.optional().describe('Only this one; default: all that the configuration names'),
      task_id: TaskId.optional().describe("As the branch of this task names them; default: the project's folder"),
    }),
    CheckList,
  ),
}
