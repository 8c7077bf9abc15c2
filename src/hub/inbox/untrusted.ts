import type { InboxItem } from '#contract/inbox.ts'
import { type Facts, item } from './item.ts'

/** A folder whose agent configuration no person has looked at, and where an agent is to be started. */
export async function untrustedFolders({ services, lang, projectId, names }: Facts): Promise<InboxItem[]> {
  const refused = await services.trusts.refusedStarts(projectId === undefined ? {} : { projectId })
  return Promise.all(
    refused.map(async ({ start, unknown, refusal }) =>
      item({
        kind: 'untrusted',
        about: `${start.projectId}:${start.runner}`,
        title: start.directory,
        at: start.at,
        detail: refusal.text[lang],
        project_id: start.projectId,
        project_name: await names.project(start.projectId),
        runner: services.trusts.elsewhere(start) ?? null,
        files: [...unknown],
        command: services.trusts.commandFor(start),
      }),
    ),
  )
}
