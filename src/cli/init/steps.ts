// What `toryo init` makes of a folder: what is there, what is missing, and how each missing thing is made.
import fs from 'node:fs'
import path from 'node:path'
import type { Client } from '#client/api.ts'
import { freeAgentName } from '#contract/agent-names.ts'
import type { ApiOutput } from '#contract/api.ts'
import { HubError, type Text } from '#contract/errors.ts'
import type { AgentId, ProjectId } from '#contract/id-types.ts'
import { commandLine } from '../check-text.ts'
import { CliError } from '../errors.ts'
import type { Io } from '../io.ts'
import { listAll } from '../list-all.ts'

export type Kind = 'project' | 'trust' | 'check' | 'agent'
export type State = 'there' | 'missing' | 'added' | 'declined'
export type Item = {
  readonly kind: Kind
  readonly name: string
  /** A path, a command line, an engine. */
  readonly detail: string
  state: State
  /** Makes it; the project is there by then. */
  readonly make?: (project: ProjectId) => Promise<void>
}

export type Place = { readonly directory: string; readonly isRepository: boolean }

export type Plan = Place & { project: ApiOutput<'project.here'>['project']; readonly items: Item[] }

/** More than a person has. */
const MOST = 2000

type Wish = { name?: string | undefined; agents?: number | undefined }

export async function planFor(hub: Client, io: Io, { name, agents }: Wish): Promise<Plan> {
  const { cwd } = io
  const place = placeOf(cwd)
  const here = (await hub.call('project.here', { directory: cwd })).project
  const project = here && isOfAnother(here.working_directory, place) ? null : here
  if (!project && isTooWide(place, io)) throw CliError.USAGE({ text: tooWide(place.directory) })
  const plan: Plan = { ...place, project, items: [] }
  const directory = project?.working_directory ?? place.directory
  plan.items.push(
    await projectItem(hub, plan, name),
    ...(await trustItems(hub, directory, io)),
    ...(await checkItems(hub, plan, directory)),
    ...(await agentItems(hub, project, agents)),
  )
  return plan
}

/** The top of the repository that the folder is in, as git finds it; else the folder itself. */
function placeOf(cwd: string): Place {
  const start = fs.realpathSync(cwd)
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, '.git'))) return { directory: folder, isRepository: true }
    if (folder === path.dirname(folder)) return { directory: start, isRepository: false }
  }
}

/** Every other folder would belong to that project, and an agent would work on all of them. */
function isTooWide({ directory, isRepository }: Place, { env }: Io): boolean {
  const home = env['HOME'] ?? ''
  const wide = [path.parse(directory).root, fs.existsSync(home) ? fs.realpathSync(home) : home]
  return !isRepository && wide.includes(directory)
}

const tooWide = (directory: string): Text => ({
  en: `${directory} is too wide for a project: every folder below it would belong to it. Go to the folder of your work, then run \`toryo init\` there.`,
  ja: `${directory} は範囲が広すぎるため、プロジェクトにできません。作業するフォルダーに移動してから \`toryo init\` を実行してください。`,
})

/** A repository of its own below the folder of a project. A worktree or submodule, which has a file `.git`, is still that project's. */
function isOfAnother(project: string | null, { directory, isRepository }: Place): boolean {
  if (project === null || !isRepository || !fs.statSync(path.join(directory, '.git')).isDirectory()) return false
  const above = fs.existsSync(project) ? fs.realpathSync(project) : project
  return directory !== above && directory.startsWith(above + path.sep)
}

async function projectItem(hub: Client, plan: Plan, wanted: string | undefined): Promise<Item> {
  const { project, directory } = plan
  if (project) return { kind: 'project', name: project.name, detail: project.working_directory ?? '', state: 'there' }
  const { projects } = await listAll(MOST, 'projects', page => hub.call('project.list', page))
  const base = wanted ?? (path.basename(directory) || 'project')
  const taken = projects.map(one => one.name)
  const name = wanted ?? firstFree(base, taken)
  return {
    kind: 'project',
    name,
    detail: directory,
    state: 'missing',
    async make() {
      // What the folder brings is shown and asked for on its own.
      plan.project = await hub.call('project.add', { name, directory, trust: false })
    },
  }
}

async function trustItems(hub: Client, directory: string, io: Io): Promise<Item[]> {
  const looked = await hub.call('trust.look', { directory }).catch((problem: unknown) => {
    // More than a person could look at; nothing is started there, and the rest can still be made.
    if (problem instanceof HubError && problem.code === 'TRUST_REQUIRED') return io.say(problem.text)
    throw problem
  })
  if (typeof looked === 'string') return [{ kind: 'trust', name: directory, detail: looked, state: 'declined' }]
  const { files, unknown, hash } = looked
  if (files.length === 0) return []
  const detail = (unknown.length > 0 ? unknown : files).join(', ')
  const item = { kind: 'trust' as const, name: directory, detail }
  if (unknown.length === 0) return [{ ...item, state: 'there' }]
  const make = async () => void (await hub.call('project.trust', { directory, seen: hash }))
  return [{ ...item, state: 'missing', make }]
}

/** Checks judge the work of a workspace: without a repository there is none. */
async function checkItems(hub: Client, { project, isRepository }: Plan, directory: string): Promise<Item[]> {
  const hasWorkspaces = project ? project.workspace === 'task' : isRepository
  if (!hasWorkspaces) return []
  const checks = project ? (await hub.call('project.check.list', { project_id: project.project_id })).checks : []
  const there = checks.map(({ name, command, trusted }): Item => {
    const item = { kind: 'check' as const, name, detail: commandLine(command) }
    if (trusted) return { ...item, state: 'there' }
    const seen = [{ name, command }]
    const make = async (project_id: ProjectId) =>
      void (await hub.call('project.check.trust', { project_id, name, seen }))
    return { ...item, state: 'missing', make }
  })
  const found = (await hub.call('project.check.guess', { directory })).checks
  const guessed = found.filter(({ name, usual }) => usual && !checks.some(check => check.name === name))
  const missing = guessed.map(({ name, command }): Item => {
    const check = { name, command }
    const make = async (project_id: ProjectId) => void (await hub.call('project.check.add', { project_id, ...check }))
    return { kind: 'check', name, detail: commandLine(command), state: 'missing', make }
  })
  return [...there, ...missing]
}

/** Of the programs that the hub can start without a terminal: one each, or `wanted` in all, of each program in turn. */
async function agentItems(hub: Client, project: Plan['project'], wanted: number | undefined): Promise<Item[]> {
  const { engines } = await hub.call('engine.list', {})
  const { agents } = await listAll(MOST, 'agents', page => hub.call('agent.list', page))
  const members = project ? (await hub.call('project.show', { project_id: project.project_id })).agents : []
  const able = engines.filter(({ program, headless }) => program !== null && headless).map(({ engine }) => engine)
  const items = able.flatMap(engine => {
    const own = agents.filter(agent => agent.engine === engine && members.includes(agent.agent_id))
    return own.map(({ name }): Item => ({ kind: 'agent', name, detail: engine, state: 'there' }))
  })
  const countOf = (engine: string) => items.filter(({ detail }) => detail === engine).length
  for (;;) {
    const [engine] = able.toSorted((a, b) => countOf(a) - countOf(b))
    if (engine === undefined || (wanted === undefined ? countOf(engine) > 0 : items.length >= wanted)) return items
    const usable = agents.filter(agent => agent.engine === engine && !members.includes(agent.agent_id))
    const isTaken = (name: string) =>
      items.some(item => item.name === name) ||
      (agents.some(agent => agent.name === name) && !usable.some(agent => agent.name === name))
    const name = await freeAgentName(engine.charAt(0).toUpperCase() + engine.slice(1), isTaken)
    const known = usable.find(agent => agent.name === name)
    const make = async (project_id: ProjectId) => {
      const agent_id = known?.agent_id ?? (await added(hub, name, engine))
      await hub.call('project.assign', { project_id, agent_id })
    }
    items.push({ kind: 'agent', name, detail: engine, state: 'missing', make })
  }
}

/** Its passkey is for programs that sign in themselves; the Runner needs none, so it is not shown here. */
async function added(hub: Client, name: string, engine: string): Promise<AgentId> {
  return (await hub.call('agent.add', { name, engine })).agent_id
}

function firstFree(name: string, taken: readonly string[]): string {
  for (let number = 2, free = name; ; number += 1) {
    if (!taken.includes(free)) return free
    free = `${name}-${number}`
  }
}
