import { isAbsolute, resolve } from 'node:path'
import type { Caller, CallerKind } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import { hashOf } from './model.ts'
import type { Scout } from './ports.ts'
import type { Evidence, Trusts } from './service.ts'

type Projects = { get(id: ProjectId): Promise<{ id: ProjectId; directory: string | null }> }
type Services = { trusts: Trusts; projects: Projects }

const RUNNERS: readonly CallerKind[] = ['runner']

export function trustOperations(scout: Pick<Scout, 'placeOf'>) {
  return [
    operation<'project.trust', Services, Evidence>({
      name: 'project.trust',
      effect: 'write',
      async prepare({ trusts, projects }, { project_id, directory, from, runner }) {
        if (project_id === undefined) {
          const folder = from ?? directory
          if (folder === undefined || !isAbsolute(folder) || runner !== undefined) throw which()
          return trusts.evidence(folder)
        }
        const project = await projects.get(project_id)
        if (project.directory === null) throw which()
        const owner = { id: project.id, directory: project.directory }
        const there = runner === undefined ? undefined : await trusts.sighted(project.id, runner)
        if (runner === undefined) return trusts.evidence(resolve(owner.directory, from ?? ''), owner)
        const { directory: place, remote } = await scout.placeOf(owner.directory)
        return there ?? { projectId: project.id, directory: place, seen: { remote, files: {} } }
      },
      async run({ trusts }, input, call) {
        const { projectId, directory, seen } = call.prepared
        if (input.seen !== undefined && input.seen !== hashOf(seen.files)) throw changed()
        await trusts.grant(call.prepared, call.caller, projectId ?? undefined)
        return { project_id: projectId, directory, remote: seen.remote, files: Object.keys(seen.files).sort() }
      },
    }),
    operation<'trust.look', Services, Awaited<ReturnType<Trusts['look']>>>({
      name: 'trust.look',
      effect: 'read',
      async prepare({ trusts }, { directory }) {
        if (!isAbsolute(directory)) throw which()
        return trusts.look(directory)
      },
      async run(_services, _input, { prepared: { evidence, unknown } }) {
        const { directory, seen } = evidence
        return { directory, files: Object.keys(seen.files).sort(), unknown: [...unknown], hash: hashOf(seen.files) }
      },
    }),
    operation({
      name: 'runner.refused',
      effect: 'read',
      run: async ({ trusts }: Services, _input, call) => ({
        refused: (await trusts.refusedStarts()).map(({ start, unknown, refusal }) => ({
          project_id: start.projectId,
          runner: start.runner,
          directory: start.directory,
          files: [...unknown],
          at: iso(start.at),
          problem: refusal.text[call.lang],
          command: trusts.commandFor(start),
        })),
      }),
    }),
    operation<'runner.inspect', Services, { directory: string; place: string }>({
      name: 'runner.inspect',
      effect: 'write',
      callers: RUNNERS,
      async prepare({ projects }, { project_id }) {
        const { directory } = await projects.get(project_id)
        if (directory === null) throw which()
        return { directory, place: (await scout.placeOf(directory)).directory }
      },
      async run({ trusts }, { project_id: projectId, seen }, { caller, lang, prepared }) {
        const looked = { projectId, runner: nameOf(caller), taskId: null, ...prepared, seen }
        const refusal = await trusts.inspect(looked, caller)
        return { trusted: refusal === undefined, problem: refusal?.text[lang] ?? null }
      },
    }),
  ]
}

function nameOf(caller: Caller): string {
  return caller.kind === 'runner' ? caller.name : ''
}

function changed() {
  return CoreError.INVALID_ARGUMENT({
    reason: {
      en: 'The agent configuration of the folder is not what was shown, so nothing was trusted. Look again.',
      ja: 'フォルダーのエージェント設定が表示した内容から変わったため、何も信頼していません。もう一度確認してください。',
    },
  })
}

function which() {
  return CoreError.INVALID_ARGUMENT({
    reason: {
      en: 'Name a project that has a folder, or a folder by its absolute path.',
      ja: 'フォルダーのあるプロジェクト、またはフォルダーの絶対パスを指定してください。',
    },
  })
}
