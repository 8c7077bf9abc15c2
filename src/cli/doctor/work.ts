// The doctor's look at the work itself: agents without a program, projects without a folder, tabs and worktrees that need
// a person. Asked of the hub; only the folders are looked at from here.
import fs from 'node:fs'
import type { Target } from '#client/locate.ts'
import { installLine } from '#contract/known-engines.ts'
import { KNOWN_ENGINES } from '#contract/known-engines.gen.ts'
import type { AgentRecord } from '#contract/records.ts'
import type { EngineView } from '#contract/views.ts'
import { findProgram } from '#engines/find-program.ts'
import type { Connection } from '../connect.ts'
import type { Io } from '../io.ts'
import { listAll } from '../list-all.ts'
import { workTexts } from '../texts-doctor-work.ts'
import { both, type Finding } from './finding.ts'

const LOOKED_AT = 2000

export async function workFindings(hub: Connection, target: Target, io: Pick<Io, 'env'>): Promise<Finding[]> {
  const { engines } = await hub.call('engine.list', {})
  const { runners } = await hub.call('runner.list', {})
  const { agents } = await listAll(LOOKED_AT, 'agents', page => hub.call('agent.list', page))
  const elsewhere = new Set(runners.flatMap(runner => (runner.revoked_at === null ? runner.engines : [])))
  const hidden = engines.filter(
    ({ program, programs }) => program === null && findProgram(programs, io.env) !== undefined,
  )
  const settled = new Set([...elsewhere, ...hidden.map(({ engine }) => engine)])
  return [
    ...pathFindings(hidden),
    ...agentFindings(
      agents.filter(({ status, engine }) => status === 'active' && !settled.has(engine)),
      engines,
    ),
    ...(await projectFindings(hub, target)),
    ...(await trustFindings(hub)),
    ...(await waitingFindings(hub)),
    ...(await nobodysFindings(hub)),
    ...(await machineFindings(hub)),
  ]
}

/** Agents that wait until a person has looked at their folder's agent configuration. */
async function trustFindings(hub: Connection): Promise<Finding[]> {
  const { refused } = await hub.call('runner.refused', {})
  return refused.map(({ project_id: id, runner, directory, files, command }): Finding => {
    const text = workTexts.untrusted(id, runner, directory, files.join(', '))
    return { check: `trust.${id}`, level: 'warn', text, fix: workTexts.untrustedFix(command) }
  })
}

/** Starts that no Runner that is there can take. Without any Runner, people start agents themselves. */
async function waitingFindings(hub: Connection): Promise<Finding[]> {
  const { runners } = await hub.call('hub.status', {})
  if (runners.length === 0) return []
  const { waiting } = await hub.call('runner.waiting', {})
  return waiting.map(({ agent_id, agent_name, project_id, project_name, engine, directory, problem }): Finding => {
    const text = workTexts.waitsForRunner(agent_name, project_name, problem)
    const fix = workTexts.waitsForRunnerFix(engine, directory)
    return { check: `start.${agent_id}.${project_id}`, level: 'warn', text, fix }
  })
}

/** Tasks in progress without an agent, which nothing will ever start. */
async function nobodysFindings(hub: Connection): Promise<Finding[]> {
  const { items } = await hub.call('inbox.list', {})
  return items.flatMap(({ kind, handle, title, command }): Finding[] => {
    if (kind !== 'no_agent' || handle === null || command === null) return []
    const text = workTexts.noAgent(handle, title)
    return [{ check: `task.${handle}`, level: 'warn', text, fix: workTexts.noAgentFix(command) }]
  })
}

const OF_MACHINES = new Set(['commands', 'machines'])

/** What the hub sees of the other machines that its projects are on. */
async function machineFindings(hub: Connection): Promise<Finding[]> {
  const { findings } = await hub.call('doctor.run', {})
  return findings.flatMap(({ check, level, message, fix }): Finding[] =>
    OF_MACHINES.has(check) ? [{ check, level, text: both(message), ...(fix !== null && { fix: both(fix) }) }] : [],
  )
}

/** A hub keeps the environment of the process that started it. */
function pathFindings(hidden: readonly EngineView[]): Finding[] {
  if (hidden.length === 0) return []
  const text = workTexts.otherPath(hidden.map(({ engine }) => engine).join(', '))
  return [{ check: 'path', level: 'warn', text, fix: workTexts.otherPathFix }]
}

function agentFindings(agents: readonly AgentRecord[], engines: readonly EngineView[]): Finding[] {
  const startable = new Set(engines.flatMap(({ engine, program, headless }) => (program && headless ? [engine] : [])))
  const stranded = new Map<string, string[]>()
  for (const { engine, name } of agents)
    if (!startable.has(engine)) stranded.set(engine, [...(stranded.get(engine) ?? []), name])
  return [...stranded].map(([engine, names]): Finding => {
    const known = engines.find(one => one.engine === engine)
    const builtIn = KNOWN_ENGINES.find(({ id }) => id === engine)
    const how = builtIn ? installLine(builtIn) : known?.programs.join(', ')
    const fix = how === undefined ? workTexts.describeFix(engine) : workTexts.installFix(how)
    return { check: `agents.${engine}`, level: 'warn', text: workTexts.stranded(names.join(', '), engine), fix }
  })
}

/** Where several machines share a database, a folder may be on another one. */
async function projectFindings(hub: Connection, { kind }: Target): Promise<Finding[]> {
  if (kind !== 'sqlite') return []
  const { projects } = await listAll(LOOKED_AT, 'projects', page => hub.call('project.list', page))
  return projects.flatMap(({ project_id: id, name, status, working_directory: folder }): Finding[] => {
    if (status !== 'active' || folder === null || fs.existsSync(folder)) return []
    return [
      { check: `project.${id}`, level: 'warn', text: workTexts.noFolder(name, folder), fix: workTexts.noFolderFix(id) },
    ]
  })
}
