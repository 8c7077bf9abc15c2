// The agent configuration of a folder, and what is said when no person has trusted it yet.
import { z } from 'zod'
import { error, errors } from './errors.ts'
import { eventType } from './events.ts'
import { ProjectId } from './id-types.ts'
import { Refusal } from './why.ts'

/** As seen on one machine. `files`: path → hash of its content, relative to the top of the project. */
export const AgentConfigSeen = z.object({
  /** The address of the repository's origin; empty when it has none. */
  remote: z.string().max(4096),
  files: z.record(z.string().max(8192), z.string().max(64)),
  /** Where it became too much to be looked through; then `files` is not all. */
  excess: z.string().max(8192).optional(),
})
export type AgentConfigSeen = z.infer<typeof AgentConfigSeen>

/** A start that a Runner did not make. */
export const RefusedStart = z.object({
  project_id: ProjectId,
  runner: z.string(),
  directory: z.string(),
  files: z.array(z.string()),
  at: z.string(),
  problem: z.string(),
  /** What a person runs after looking at the files. */
  command: z.string(),
})

type Refusal = {
  directory: string
  files: string
  command: string
  runner?: string | undefined
  excess?: boolean
  /** An agent at work there may have written them. */
  workspace?: boolean | undefined
}

/** Trusting what is written again at each start would be asked for again and again. */
const OF_AGENTS = {
  en: ' Each change to such a file asks again: if an agent wrote it for itself, remove it there instead, and say in the task that it should use another name.',
  ja: ' このようなファイルは変更のたびに確認が必要です。エージェントが作業用に作成したものであれば、削除し、別の名前を使うようタスクに書いてください。',
}

export const TrustError = errors({
  TRUST_REQUIRED: error('forbidden', ({ directory, files, command, runner, excess, workspace = false }: Refusal) => {
    const en = runner === undefined ? directory : `${directory} (on the machine of Runner ${runner})`
    const ja = runner === undefined ? directory : `${directory} (Runner ${runner} のマシン)`
    if (excess)
      return {
        en: `${en} brings more agent configuration than can be looked through (${files}), so it cannot be trusted. Remove what does not belong there.`,
        ja: `${ja} のエージェント設定は確認できる量を超えているため (${files})、信頼できません。不要なファイルを取り除いてください。`,
      }
    return {
      en: `${en} brings agent configuration of its own that is not trusted yet (${files}). Look at it, then run \`${command}\`.${workspace ? OF_AGENTS.en : ''}`,
      ja: `${ja} には、まだ信頼されていないエージェント設定があります (${files})。内容を確認してから \`${command}\` を実行してください。${workspace ? OF_AGENTS.ja : ''}`,
    }
  }),
})

export const ProjectTrusted = eventType(
  'project.trusted',
  z.object({ directory: z.string(), remote: z.string(), hash: z.string() }),
)
/** Published once for each configuration that a Runner refuses to start in. */
export const StartRefused = eventType(
  'project.start_refused',
  z.object({ projectId: ProjectId, runner: z.string(), problem: z.string(), refusal: Refusal.optional() }),
)
