// What people look at when something does not work: the hub's own findings, and the engines' config files.
import type { Lang, Text } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { installLine } from '#contract/known-engines.ts'
import { KNOWN_ENGINES } from '#contract/known-engines.gen.ts'
import { findProgram } from '#engines/find-program.ts'
import { iso } from '#kernel/clock.ts'
import type { Database } from '#kernel/db/db.ts'
import { operation } from '#kernel/operation.ts'
import { Unusable } from '#registration/format.ts'
import type { Outcome } from '#registration/outcome.ts'
import { healthTexts as texts } from './health-texts.ts'
import type { FoundEngine } from './headless-engines.ts'
import { tasksWithoutAgent } from './inbox/no-agent.ts'
import { machineOf } from './machine-of.ts'
import { HUB } from './own-caller.ts'
import type { Services } from './services.ts'
import { listUnseenCommands } from './inbox/unseen-commands.ts'
import { waitingStarts } from './waiting-starts.ts'

type Deps = {
  database: Pick<Database, 'label' | 'outdated'>
  /** The hub's own name of its machine: that of its Runner. */
  machine: string
  /** Where git is looked for. */
  env: NodeJS.ProcessEnv
  registrations: () => Promise<readonly Outcome[]>
  /** What could be taken out of them by this hub. */
  removals: () => readonly Outcome[]
  engines: () => readonly FoundEngine[]
  /** What is wrong with the configuration file of a project, with its line. */
  projectProblem: (directory: string) => string | undefined
}

const MOST_BLOCKED = 500

type Registered = { files: readonly Outcome[]; removals: readonly Outcome[]; problem: Text | null }
type Finding = { check: string; level: 'ok' | 'warn' | 'fail'; text: Text; fix?: Text }

export function healthOperations(deps: Deps) {
  const registered = () => registeredIn(deps)
  return [
    operation<'registration.list', Services, Registered>({
      name: 'registration.list',
      effect: 'read',
      prepare: registered,
      run: async (_services, _input, { prepared, lang }) => ({
        files: prepared.files.map(({ engine, file, state, warning, text, diff = null }) => ({
          ...{ engine, file, state, warning, text, diff },
          removal: prepared.removals.find(one => one.file === file)?.diff ?? null,
        })),
        problem: prepared.problem?.[lang] ?? null,
      }),
    }),
    operation<'doctor.run', Services, Registered>({
      name: 'doctor.run',
      effect: 'read',
      prepare: registered,
      async run(services, _input, { prepared, lang }) {
        const findings = [
          ...(await ground(deps)),
          ...engineFindings(deps.engines()),
          ...(await workFindings(services, deps.machine)),
          ...(await unreadFindings(services)),
          ...(await projectFindings(services, deps)),
          ...registrationFindings(prepared),
        ]
        return {
          ok: findings.every(({ level }) => level !== 'fail'),
          findings: findings.map(finding => asView(finding, lang)),
        }
      },
    }),
  ]
}

async function registeredIn({ registrations, removals }: Deps): Promise<Registered> {
  try {
    return { files: await registrations(), removals: removals(), problem: null }
  } catch (error) {
    if (error instanceof Unusable) return { files: [], removals: removals(), problem: error.text }
    throw error
  }
}

async function ground({ database, env }: Deps): Promise<Finding[]> {
  const git = findProgram(['git'], env)
  const outdated = await database.outdated()
  return [
    { check: 'node', level: 'ok', text: texts.node(process.version) },
    outdated
      ? { check: 'database', level: 'fail', text: outdated.text, fix: texts.run('toryo stop') }
      : { check: 'database', level: 'ok', text: texts.database(database.label) },
    git === undefined
      ? { check: 'git', level: 'fail', text: texts.noGit, fix: texts.noGitFix }
      : { check: 'git', level: 'ok', text: texts.git(git) },
  ]
}

function engineFindings(engines: readonly FoundEngine[]): Finding[] {
  const found = engines.flatMap(({ engine, program }) => (program === null ? [] : [{ engine, program }]))
  if (found.length > 0)
    return found.map(({ engine, program }) => ({
      ...{ check: `engine.${engine}`, level: 'ok' },
      text: texts.engine(engine, program),
    }))
  const first = KNOWN_ENGINES[0]
  const fix = first && { fix: texts.run(installLine(first)) }
  return [{ check: 'engines', level: 'warn', text: texts.noEngine, ...fix }]
}

async function workFindings(services: Services, own: string): Promise<Finding[]> {
  const { runners, pauses, trusts, projects } = services
  const present = await runners.present()
  const paused = await pauses.list()
  const refused = await trusts.refusedStarts({})
  const waiting = await waitingStarts(services)
  const names = new Map<string, string>()
  for (const { start } of refused)
    names.set(start.projectId, (await projects.find(start.projectId))?.name ?? start.projectId)
  return [
    present.length > 0
      ? { check: 'runners', level: 'ok', text: texts.runners(present.join(', ')) }
      : { check: 'runners', level: 'warn', text: texts.noRunner, fix: texts.run('toryo runner') },
    ...paused.map(({ engine, until, reason }): Finding => {
      const fix = texts.run(`toryo engine resume ${engine}`)
      return { check: `pause.${engine}`, level: 'warn', text: texts.paused(engine, iso(until), reason), fix }
    }),
    ...refused.map(({ start, refusal }): Finding => {
      const name = names.get(start.projectId) ?? start.projectId
      return { check: 'trust', level: 'warn', text: texts.refused(name, refusal.text) }
    }),
    ...(await listUnseenCommands(services)).map(
      ({ title, command, look }): Finding => ({
        ...{ check: 'commands', level: 'warn', fix: texts.run(look) },
        text: { en: `${title.en}: ${JSON.stringify(command)}`, ja: `${title.ja}: ${JSON.stringify(command)}` },
      }),
    ),
    ...(await severalMachines(services, own)),
    ...waiting.map(
      (start): Finding => ({ check: 'starts', level: 'warn', text: texts.waits(start.agentName, start.problem) }),
    ),
    ...(await tasksWithoutAgent(services)).map(({ handle, title }): Finding => {
      const fix = texts.run(`toryo task start ${handle}`)
      return { check: 'tasks', level: 'warn', text: texts.noAgent(handle, title), fix }
    }),
  ]
}

/** Each hub merges into the clone on its own machine: until they are pushed and pulled, no clone has all of the work. */
async function severalMachines(services: Services, own: string): Promise<Finding[]> {
  const { worktrees, workspaces, projects } = services
  const machines = new Map<ProjectId, Text[]>()
  for (const { projectId, home, worktreeId } of await worktrees.listOnSeveral()) {
    const isHere = await worktrees.isHere(home)
    const taskId = isHere ? undefined : await workspaces.taskIn(worktreeId)
    const name = taskId === undefined ? null : (await machineOf(services, taskId)).name
    const others = machines.get(projectId) ?? []
    if (isHere) machines.set(projectId, [plain(own.split(':')[0] ?? own), ...others])
    else machines.set(projectId, [...others, name === null ? texts.anotherMachine : plain(name)])
  }
  const names = await projects.namesOf([...machines.keys()])
  return [...machines].map(([projectId, on]) => ({
    ...{ check: 'machines', level: 'warn', fix: texts.severalFix },
    text: texts.several(names.get(projectId) ?? projectId, on),
  }))
}

const plain = (name: string): Text => ({ en: name, ja: name })

/** Reported work that is nowhere but in a folder which cannot be read. */
async function unreadFindings({ tasks, snapshots }: Services): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { id, handle } of await tasks.list({ status: 'blocked' }, undefined, MOST_BLOCKED, HUB)) {
    const error = (await snapshots.current(id))?.error ?? null
    if (error !== null) findings.push({ check: 'snapshot', level: 'warn', text: texts.unread(handle, error) })
  }
  return findings
}

async function projectFindings({ projects }: Services, { projectProblem }: Deps): Promise<Finding[]> {
  return (await projects.listFolders()).flatMap(({ directory }): Finding[] => {
    const problem = projectProblem(directory)
    if (problem === undefined) return []
    return [{ check: 'project-config', level: 'warn', text: texts.projectConfig(directory, problem) }]
  })
}

function registrationFindings({ files, problem }: Registered): Finding[] {
  if (problem) return [{ check: 'registration', level: 'warn', text: problem }]
  return files
    .filter(({ state }) => state !== 'absent')
    .map(({ file, state, warning, text }): Finding => {
      if (state === 'added')
        return { check: 'registration', level: 'ok', text: texts.notRegistered(file), fix: texts.run('toryo register') }
      return { check: 'registration', level: warning ? 'warn' : 'ok', text: texts.registered(file, text) }
    })
}

function asView({ check, level, text, fix }: Finding, lang: Lang) {
  return { check, level, message: text[lang], fix: fix?.[lang] ?? null }
}
