// Projects, and which agents work on them.
import { z } from 'zod'
import { AgentId, ProjectId } from '../id-types.ts'
import { OwnId } from '../own-id.ts'
import { AcceptPolicy, AsanaUrl, MergeMethod, ProjectKey, WorkspaceMode } from '../projects.ts'
import { ProjectView } from '../views.ts'
import { more, Name, operation, page, project } from './shapes.ts'

const member = z.object({ project_id: ProjectId, agent_id: AgentId })

/** Where a project's tasks are worked on, and what becomes of the work. */
const settings = {
  workspace: WorkspaceMode.optional().describe('task where the directory is in a git repository, else folder'),
  base: z.string().min(1).max(200).nullish().describe('A branch; null: what the directory has checked out'),
  accept: AcceptPolicy.optional().describe('person where tasks have workspaces, else report'),
  reviewer_id: AgentId.nullish().describe('Who reviews where accept is agent'),
  merge: MergeMethod.optional(),
}

export const projectApi = {
  'project.add': operation(
    z.object({
      id: OwnId.brand<'ProjectId'>().optional(),
      name: Name,
      directory: z.string().nullish(),
      description: z.string().optional(),
      asana_url: AsanaUrl.optional(),
      trust: z
        .boolean()
        .optional()
        .describe('false: the agent configuration that the folder brings is not trusted by adding it'),
      ...settings,
    }),
    ProjectView,
  ),
  'project.edit': operation(
    z.object({
      project_id: ProjectId,
      name: Name.optional(),
      description: z.string().optional(),
      asana_url: AsanaUrl.nullish(),
      key: ProjectKey.optional(),
      ...settings,
    }),
    ProjectView,
  ),
  'project.list': operation(z.object(page), z.object({ projects: z.array(ProjectView), ...more })),
  'project.show': operation(project, ProjectView.extend({ agents: z.array(z.string()) })),
  /** Whose folder it is: the nearest project's from there up, also in a worktree of one. */
  'project.here': operation(
    z.object({ directory: z.string().min(1).max(4096) }),
    z.object({ project: ProjectView.nullable() }),
  ),
  /** The folders in a folder of the hub's machine, by name alone: a browser cannot give the path of one. */
  'directory.list': operation(
    z.object({
      path: z.string().min(1).max(4096).optional().describe("Absolute; the hub's home folder where it is left out"),
      hidden: z.boolean().optional().describe('Also those whose name begins with a dot'),
    }),
    z.object({
      path: z.string(),
      parent: z.string().nullable().describe('null: the top of the file system'),
      folders: z.array(z.string()),
      is_cut: z.boolean().describe('There are more than are listed'),
      is_wide: z
        .boolean()
        .describe(
          'The home folder or the top of the file system, and no repository: a project would have all below it',
        ),
      is_repository: z.boolean().describe('Whether the folder itself lies in a git repository'),
      project: ProjectView.nullable().describe('The project that has this folder'),
    }),
  ),
  'project.assign': operation(member, member),
  'project.unassign': operation(member, member),
  'project.archive': operation(project, ProjectView),
  'project.activate': operation(project, ProjectView),
}
