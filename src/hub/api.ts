// Operations that belong to the hub as a whole, or need more than one domain.
import { statSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { confinedTo } from '#contract/access.ts'
import { callerName, OPERATOR_AND_WORKERS, personOf } from '#contract/caller.ts'
import { CoreError, HubError, type Text } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { type Settings, settingsFor } from '#domains/projects/settings.ts'
import { projectView } from '#domains/projects/views.ts'
import type { Evidence } from '#domains/trust/service.ts'
import { iso } from '#kernel/clock.ts'
import type { Database } from '#kernel/db/db.ts'
import { DatabaseRefused } from '#kernel/db/database-refused.ts'
import type { EventLog } from '#kernel/events.ts'
import { operation } from '#kernel/operation.ts'
import type { Outcome } from '#registration/outcome.ts'
import { codeOf } from '#system/files.ts'
import type { FoundEngine } from './headless-engines.ts'
import type { Services } from './services.ts'
import { waitingStarts } from './waiting-starts.ts'

/** What the hub knows of itself while it runs. */
export type Facts = {
  url: string
  startedAt: string
  background: boolean
  demo: boolean
  program: string
  connections: number
}

type Deps = {
  database: Database
  events: EventLog
  facts: () => Facts
  stop: (keepTerminals: boolean) => void
  unregister: () => Promise<readonly Outcome[]>
  engines: () => readonly FoundEngine[]
}

export function hubOperations({ database, events, facts, stop, unregister, engines }: Deps) {
  return [
    operation({
      name: 'hub.status',
      effect: 'read',
      async run({ about, starts, runners, pauses }: Services) {
        const [newest] = await events.list({ limit: 1 })
        const { url, startedAt, background, demo, program, connections } = facts()
        return {
          pid: process.pid,
          version: about.version,
          db: database.label,
          url,
          started_at: startedAt,
          background,
          // The view of `toryo up` holds a channel to its hub until it leaves it. Without such a view there never was one.
          left: 'connected' in process && !process.connected,
          demo,
          program,
          connections,
          rss_bytes: process.memoryUsage.rss(),
          last_event: newest?.seq ?? 0,
          last_event_at: newest?.at ?? null,
          instances: await starts.count(),
          runners: await runners.present(),
          pauses: (await pauses.list()).map(({ engine, until, reason }) => ({ engine, until: iso(until), reason })),
        }
      },
    }),
    operation({
      name: 'hub.whoami',
      effect: 'read',
      callers: OPERATOR_AND_WORKERS,
      async run(_services: Services, _input, { caller }) {
        const own = confinedTo(caller)
        const may = own === undefined ? 'everything' : own === null ? 'its_own_work' : 'its_project'
        const token = caller.kind === 'operator' ? (caller.token ?? null) : null
        const who = { caller: callerName(caller), kind: caller.kind, person: personOf(caller), token }
        return { ...who, project_id: own ?? null, may, db: database.label, url: facts().url }
      },
    }),
    operation({
      name: 'engine.list',
      effect: 'read',
      async run({ pauses }: Services) {
        const paused = new Map((await pauses.list()).map(({ engine, until }) => [engine, iso(until)]))
        return { engines: engines().map(found => ({ ...found, paused_until: paused.get(found.engine) ?? null })) }
      },
    }),
    operation({
      name: 'runner.waiting',
      effect: 'read',
      run: async (services: Services, _input, call) => ({
        waiting: (await waitingStarts(services)).map(start => ({
          agent_id: start.agentId,
          agent_name: start.agentName,
          project_id: start.projectId,
          project_name: start.projectName,
          engine: start.engine,
          directory: start.directory,
          problem: start.problem[call.lang],
        })),
      }),
    }),
    operation({
      name: 'engine.resume',
      effect: 'write',
      run: async ({ pauses }: Services, input, call) => ({
        engine: input.engine,
        was_paused: await pauses.resume(input.engine, call.caller),
      }),
    }),
    operation({
      name: 'hub.stop',
      effect: 'read',
      async run(_services: Services, input) {
        // After the answer has left.
        setImmediate(stop, input.keep_terminals ?? false)
        return { stopping: true } as const
      },
    }),
    operation({
      name: 'hub.unregister',
      effect: 'read',
      run: async () => ({ files: [...(await unregister())] }),
    }),
    operation<'project.add', Services, { settings: Settings; evidence: Evidence | undefined }>({
      name: 'project.add',
      effect: 'write',
      async prepare({ trusts, repositories }, { directory = null, reviewer_id: reviewerId, ...wish }) {
        if (directory !== null && !isAbsolute(directory))
          throw CoreError.INVALID_ARGUMENT({ reason: DIRECTORY_NOT_ABSOLUTE })
        const settings = await settingsFor(repositories, directory, { ...wish, reviewerId })
        const isLookedAt = directory !== null && wish.trust !== false
        return { settings, evidence: isLookedAt ? await evidenceIn(directory, trusts) : undefined }
      },
      async run({ projects, trusts }, input, call) {
        const { id, name, directory = null, description = '', asana_url: asanaUrl = null } = input
        const { settings, evidence } = call.prepared
        const project = await projects.add({ id, name, directory, description, asanaUrl, ...settings }, call.caller)
        // A person who adds a folder has looked at what it brings.
        if (evidence) await trusts.grant(evidence, call.caller, project.id)
        return projectView(project)
      },
    }),
    operation({
      name: 'hub.backup',
      effect: 'read',
      async run(_services: Services, input) {
        if (!isAbsolute(input.file)) throw CoreError.INVALID_ARGUMENT({ reason: NOT_ABSOLUTE })
        try {
          await database.backup(input.file)
        } catch (error) {
          const reason = whyNoBackup(error, input.file)
          throw reason ? CoreError.INVALID_ARGUMENT({ reason }, error) : error
        }
        return { file: input.file, bytes: statSync(input.file).size }
      },
    }),
  ]
}

async function evidenceIn(directory: string, trusts: Services['trusts']): Promise<Evidence | undefined> {
  return trusts.evidence(directory, { id: '' as ProjectId, directory }).catch(error => {
    if (error instanceof HubError) return undefined // Too much for a person to have looked at.
    throw error
  })
}

/** What the place is to blame for; undefined for what is not the caller's to fix. */
function whyNoBackup(error: unknown, file: string): Text | undefined {
  if (error instanceof DatabaseRefused) return error.text
  const folder = dirname(file)
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return {
        en: `The folder ${folder} does not exist; make it first. Nothing was written.`,
        ja: `フォルダー ${folder} がありません。先に作成してください。何も書き込んでいません。`,
      }
    case 'EEXIST':
    case 'EISDIR':
      return {
        en: `${file} exists already; choose another name for the backup.`,
        ja: `${file} は既にあります。バックアップには別の名前を指定してください。`,
      }
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return {
        en: `The hub may not write into ${folder}; choose another folder.`,
        ja: `ハブには ${folder} へ書き込む権限がありません。別のフォルダーを指定してください。`,
      }
    case 'ENAMETOOLONG':
    case 'ELOOP':
      return { en: `${file} is not a usable path.`, ja: `${file} はパスとして使えません。` }
    default:
      return undefined
  }
}

const DIRECTORY_NOT_ABSOLUTE = {
  en: 'directory must be an absolute path.',
  ja: 'directory は絶対パスで指定してください。',
}
const NOT_ABSOLUTE = { en: 'file must be an absolute path.', ja: 'file は絶対パスで指定してください。' }
