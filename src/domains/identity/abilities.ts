// Which Runner can take which start: it needs the engine and the project's folder. Runners say what they have with every
// `runner.hold`; one of an earlier version says nothing of folders and is offered what it was offered before.
import type { Text } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { isHubRunner, type ProjectFolder } from '#contract/runner.ts'
import type { Rows, Tx } from '#kernel/db/db.ts'
import { digest } from '#kernel/ids.ts'
import { FolderStore, RunnerStore, type SeenFolders } from './instance-store.ts'
import type { Runner } from './model.ts'

/** What a start needs of the machine it is made on. */
export type Needs = {
  engine: string
  projectId: ProjectId
  directory: string
  /** It works in a workspace: that is on the machine of the hub that makes it. */
  workspace: boolean
}

/** What a Runner says of the folders that it was asked about: those of the list of this name. */
export type FoldersHere = { list: string; here: readonly string[] }

/** Which folders a Runner shall look for; without `look` when it knows the list. */
export type FoldersWanted = { list: string; look?: ProjectFolder[] }

/** `unseen`: it has not said yet whether it has the folder. */
type Lack = 'engine' | 'folder' | 'unseen' | 'workspace'

/** Needs that no Runner meets that is there, and what each of those lacks. */
export type Unmet = Needs & { runners: readonly { name: string; lacks: readonly Lack[] }[] }

/** A list has a name, so that an answer to an earlier one is not taken for an answer to this one. */
export function listName(folders: readonly ProjectFolder[]): string {
  return digest(JSON.stringify(folders.map(({ project_id, directory }) => [project_id, directory]))).slice(0, 16)
}

/** Keeps what the Runner found, if it looked for the folders that there are now. */
export async function keepFolders(
  tx: Tx,
  runner: string,
  wanted: readonly ProjectFolder[],
  said: FoldersHere | undefined,
): Promise<void> {
  const store = new FolderStore(tx)
  if (!said) return store.replace(runner, [])
  if (said.list !== listName(wanted)) return
  const here = new Set(said.here)
  await store.replace(
    runner,
    wanted.map(folder => ({ ...folder, here: here.has(folder.project_id) })),
  )
}

/** Why the start is not for this Runner; undefined when it is, and for a caller that is none. */
export async function whyNotFor(
  name: string,
  needs: Needs,
  rows: Rows,
  isPresent: (runner: Runner) => boolean,
): Promise<string | undefined> {
  const runners = await new RunnerStore(rows).list()
  const own = runners.find(runner => runner.name === name)
  if (!own) return undefined
  if (isAway(own, needs)) return 'workspace_elsewhere'
  const folders = await new FolderStore(rows).seenBy([name], needs.projectId)
  const [lack] = lacks(own, needs, folders.get(name))
  if (lack !== undefined) return lack === 'engine' ? 'engine_unavailable' : 'folder_unavailable'
  // One that says nothing of folders gets also what it cannot start, unless another could: a task must not wait in silence.
  if (own.saysFolders || own.engines.includes(needs.engine)) return undefined
  const isElsewhere = runners.some(other => other !== own && isPresent(other) && other.engines.includes(needs.engine))
  return isElsewhere ? 'engine_unavailable' : undefined
}

/** Whether a start is for this Runner, for many starts: by as many queries as for one. */
export async function offersTo(
  name: string,
  rows: Rows,
  isPresent: (runner: Runner) => boolean,
): Promise<(needs: Needs) => boolean> {
  const runners = await new RunnerStore(rows).list()
  const own = runners.find(runner => runner.name === name)
  if (!own) return () => true
  if (own.saysFolders) {
    const folders = await new FolderStore(rows).list(name)
    return needs =>
      own.engines.includes(needs.engine) && folders.get(needs.projectId) === needs.directory && !isAway(own, needs)
  }
  const others = runners.filter(other => other !== own && isPresent(other))
  return needs =>
    (own.engines.includes(needs.engine) || !others.some(other => other.engines.includes(needs.engine))) &&
    !isAway(own, needs)
}

/** What these Runners lack for a start; undefined when one of them can take it. By two queries, for however many starts. */
export async function unmetBy(runners: readonly Runner[], rows: Rows): Promise<(needs: Needs) => Unmet | undefined> {
  const folders = await new FolderStore(rows).seenBy(runners.filter(one => one.saysFolders).map(({ name }) => name))
  return needs => {
    const each = runners.map(runner => ({ name: runner.name, lacks: lacks(runner, needs, folders.get(runner.name)) }))
    return each.some(({ lacks: missing }) => missing.length === 0) ? undefined : { ...needs, runners: each }
  }
}

/** Only the Runner inside a hub is surely where that hub makes workspaces. */
function isAway({ name }: Runner, { workspace }: Needs): boolean {
  return workspace && !isHubRunner(name)
}

/** Nothing that would be known of a Runner that does not say. */
function lacks(runner: Runner, needs: Needs, folders: SeenFolders | undefined): Lack[] {
  if (isAway(runner, needs)) return ['workspace']
  if (!runner.saysFolders) return []
  const { engine, projectId, directory } = needs
  const missing: Lack[] = runner.engines.includes(engine) ? [] : ['engine']
  const seen = folders?.get(projectId)
  if (seen?.directory !== directory) return [...missing, 'unseen']
  return seen.here ? missing : [...missing, 'folder']
}

/** For people. */
export function sentenceOf({ engine, directory, runners }: Unmet): Text {
  if (runners.length === 0)
    return {
      en: `Waits for a Runner with ${engine} and ${directory}. No Runner is running: start one with \`toryo up\`, or with \`toryo runner\` on another machine.`,
      ja: `${engine} と ${directory} を備えた Runner を待っています。稼働中の Runner がありません。\`toryo up\` か、別のマシンの \`toryo runner\` で起動してください。`,
    }
  const each = runners.map(({ name, lacks: missing }) => lackOf(name, missing, { engine, directory }))
  const isAll = (lack: Lack) => runners.every(({ lacks: missing }) => missing.includes(lack))
  const isMissing = runners.some(({ lacks: missing }) => missing.some(lack => lack !== 'unseen'))
  const todo = isAll('workspace') ? START_HERE : isMissing ? PROVIDE : undefined
  return {
    en: `Waits for a Runner with ${engine} and ${directory}. ${each.map(({ en }) => en).join('; ')}.${todo?.en ?? ''}`,
    ja: `${engine} と ${directory} を備えた Runner を待っています。${each.map(({ ja }) => ja).join('。')}。${todo?.ja ?? ''}`,
  }
}

const PROVIDE: Text = {
  en: ' Install what is missing there, or start a Runner on a machine that has it.',
  ja: '不足しているものを用意するか、備わったマシンで Runner を起動してください。',
}

const START_HERE: Text = {
  en: " Start the hub's own Runner with `toryo up`, or let the project's agents work in its folder: `toryo project edit <project> --workspace folder`.",
  ja: '`toryo up` でハブ内蔵の Runner を起動するか、`toryo project edit <プロジェクト> --workspace folder` でフォルダーでの作業に切り替えてください。',
}

function lackOf(
  name: string,
  missing: readonly Lack[],
  { engine, directory }: Pick<Needs, 'engine' | 'directory'>,
): Text {
  if (missing.includes('workspace'))
    return {
      en: `${name} is not the hub's own Runner, and workspaces are on the hub's machine`,
      ja: `${name} はハブ内蔵の Runner ではありません (ワークスペースはハブのマシンにあります)`,
    }
  // Without the engine it does not matter.
  if (missing.includes('unseen') && !missing.includes('engine'))
    return {
      en: `${name} has not looked for ${directory} yet`,
      ja: `${name} は ${directory} の有無をまだ確認していません`,
    }
  const named = missing.filter(lack => lack !== 'unseen').map(lack => (lack === 'engine' ? engine : directory))
  return { en: `${name} does not have ${named.join(' and ')}`, ja: `${name} には ${named.join(' と ')} がありません` }
}
