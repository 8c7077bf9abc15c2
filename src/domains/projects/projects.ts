// The verbs on projects and on who belongs to them.
import { mayEnter } from '#contract/access.ts'
import type { Caller } from '#contract/caller.ts'
import type { AgentId, ProjectId } from '#contract/id-types.ts'
import {
  AgentAssigned,
  AgentUnassigned,
  ProjectActivated,
  ProjectAdded,
  ProjectArchived,
  ProjectEdited,
  ProjectError,
} from '#contract/projects.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Ids } from '#kernel/ids.ts'
import { foldersAround, type Place } from '#kernel/paths.ts'
import { folderName, keyFor, type Project, takenBy } from './model.ts'
import type { Agents } from './ports.ts'
import { checkSettings, IN_FOLDER, type Settings, settingsAfter, type SettingsWish } from './settings.ts'
import { ProjectStore } from './project-store.ts'

export type NewProject = {
  id?: ProjectId | undefined
  name: string
  description: string
  directory: string | null
  asanaUrl?: string | null
  key?: string | undefined
} & Partial<Settings>

export type ProjectChanges = {
  name?: string | undefined
  description?: string | undefined
  asanaUrl?: string | null | undefined
  /** Changes the handles of all its tasks. */
  key?: string | undefined
} & SettingsWish

export class Projects {
  readonly #deps: { db: Db; events: EventLog; clock: Clock; ids: Ids; agents: Agents }

  constructor(deps: { db: Db; events: EventLog; clock: Clock; ids: Ids; agents: Agents }) {
    this.#deps = deps
  }

  /** The id of the project that has this id or this key. */
  idNamed(name: string): Promise<ProjectId | undefined> {
    return new ProjectStore(this.#deps.db).idNamed(name)
  }

  find(id: ProjectId): Promise<Project | undefined> {
    return new ProjectStore(this.#deps.db).find(id)
  }

  namesOf(ids: readonly ProjectId[]): Promise<Map<ProjectId, string>> {
    return new ProjectStore(this.#deps.db).namesOf([...new Set(ids)])
  }

  findByNumber(number: number): Promise<Project | undefined> {
    return new ProjectStore(this.#deps.db).findByNumber(number)
  }

  async get(id: ProjectId): Promise<Project> {
    const project = await this.find(id)
    if (!project) throw ProjectError.PROJECT_NOT_FOUND({ projectId: id, listedBy: 'list_projects' })
    return project
  }

  list(after: number, limit: number): Promise<Project[]> {
    return new ProjectStore(this.#deps.db).list(after, limit)
  }

  agentsOf(projectId: ProjectId): Promise<AgentId[]> {
    return new ProjectStore(this.#deps.db).agentsOf(projectId)
  }

  projectsOf(agentId: AgentId): Promise<ProjectId[]> {
    return new ProjectStore(this.#deps.db).projectsOf(agentId)
  }

  isAssigned(projectId: ProjectId, agentId: AgentId): Promise<boolean> {
    return new ProjectStore(this.#deps.db).isAssigned(projectId, agentId)
  }

  /** Throws for an agent that does not exist, or not in this project. */
  async mustBelong(projectId: ProjectId, agentId: AgentId): Promise<void> {
    if (await this.isAssigned(projectId, agentId)) return
    const { name: agent } = await this.#deps.agents.get(agentId)
    const { key: project } = await this.get(projectId)
    throw ProjectError.AGENT_NOT_ASSIGNED({ agentId, projectId, agent, project })
  }

  /** The folders in which agents may be started. */
  listFolders(): Promise<{ project_id: ProjectId; directory: string }[]> {
    return new ProjectStore(this.#deps.db).listFolders()
  }

  /** Active projects, each with the agents that may be started there. However many there are, by as many queries. */
  async listStartable(after: number, limit: number): Promise<{ project: Project; agents: AgentId[] }[]> {
    const store = new ProjectStore(this.#deps.db)
    const projects = await store.list(after, limit, true)
    const members = await store.membersOf(projects.map(({ id }) => id))
    const enabled = await this.#deps.agents.enabledAmong([...new Set([...members.values()].flat())])
    return projects.map(project => {
      const agents = (members.get(project.id) ?? []).filter(id => enabled.has(id))
      return { project, agents }
    })
  }

  add(fresh: NewProject, by: Caller): Promise<Project> {
    return this.#deps.db.tx(async tx => {
      const store = new ProjectStore(tx)
      const { clock, ids, events } = this.#deps
      const id = fresh.id ?? ids.next('prj')
      if (await store.find(id)) throw ProjectError.PROJECT_EXISTS({ what: `id ${id}` })
      // This word already means that project.
      if (await store.idNamed(id)) throw ProjectError.PROJECT_EXISTS({ what: `key ${id}` })
      if (await store.findByName(fresh.name)) throw ProjectError.PROJECT_EXISTS({ what: `name ${fresh.name}` })
      const others = await store.allNames()
      if (fresh.key !== undefined) mustBeFree(fresh.key, others)
      const number = others.length + 1
      const key = fresh.key ?? keyFor({ ...fresh, id, number }, takenBy(others))
      const settings = { ...IN_FOLDER, ...fresh }
      checkSettings(settings)
      if (settings.reviewerId !== null) await this.#deps.agents.get(settings.reviewerId)
      const project = await store.insert({
        ...settings,
        id,
        key,
        asanaUrl: fresh.asanaUrl ?? null,
        active: true,
        createdAt: clock.now(),
      })
      await events.publish(tx, ProjectAdded, { projectId: id }, by, id)
      // It has no other agents yet, and its reviewer is one of them.
      if (settings.reviewerId !== null) await this.assign(id, settings.reviewerId, by)
      return project
    })
  }

  /** The one that works in this folder, however the folder was spelled; the first when there are several. */
  findByDirectory(directories: readonly string[]): Promise<Project | undefined> {
    return new ProjectStore(this.#deps.db).findByDirectory(directories)
  }

  /** The one that works in this folder, else the nearest that contains it. */
  async findAround({ real, shown }: Place): Promise<Project | undefined> {
    const chains = (shown === real ? [real] : [real, shown]).map(folder => [folder, ...foldersAround(folder)])
    const found = await new ProjectStore(this.#deps.db).inDirectories(chains.flat())
    const distance = ({ directory }: Project) =>
      Math.min(...chains.map(chain => chain.indexOf(directory ?? '')).filter(index => index >= 0))
    return found.toSorted((a, b) => distance(a) - distance(b))[0]
  }

  /** A folder without a project gets one, with the folder's name. Agents belong to a project and make none. */
  ensureForDirectory(directories: readonly [string, ...string[]], by: Caller): Promise<Project> {
    return this.#deps.db.tx(async tx => {
      const known = await this.findByDirectory(directories)
      if (known) return known
      mayEnter('' as ProjectId, by)
      const [directory] = directories
      const store = new ProjectStore(tx)
      let name = folderName(directory, 1)
      for (let count = 2; await store.findByName(name); count++) name = folderName(directory, count)
      return this.add({ name, description: '', directory }, by)
    })
  }

  /** What is left out stays as it is. */
  edit(id: ProjectId, changes: ProjectChanges, by: Caller): Promise<Project> {
    return this.#deps.db.tx(async tx => {
      const store = new ProjectStore(tx)
      const project = await this.get(id)
      const { name = project.name, description = project.description, asanaUrl = project.asanaUrl } = changes
      const { key = project.key } = changes
      const edited = { ...project, key, name, description, asanaUrl, ...settingsAfter(project, changes) }
      if (JSON.stringify(edited) === JSON.stringify(project)) return project
      checkSettings(edited)
      if (edited.reviewerId !== null && edited.reviewerId !== project.reviewerId)
        await this.mustBelong(id, edited.reviewerId)
      if (name !== project.name && (await store.findByName(name)))
        throw ProjectError.PROJECT_EXISTS({ what: `name ${name}` })
      if (key !== project.key)
        mustBeFree(
          key,
          (await store.allNames()).filter(other => other.id !== id),
        )
      await store.edit(edited)
      await this.#deps.events.publish(tx, ProjectEdited, { projectId: id }, by, id)
      return edited
    })
  }

  setActive(id: ProjectId, active: boolean, by: Caller): Promise<Project> {
    return this.#deps.db.tx(async tx => {
      const project = await this.get(id)
      if (project.active === active) return project
      await new ProjectStore(tx).setActive(id, active)
      const fact = active ? ProjectActivated : ProjectArchived
      await this.#deps.events.publish(tx, fact, { projectId: id }, by, id)
      return { ...project, active }
    })
  }

  assign(projectId: ProjectId, agentId: AgentId, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      await this.get(projectId)
      await this.#deps.agents.get(agentId)
      if (await this.isAssigned(projectId, agentId)) return
      await new ProjectStore(tx).assign(projectId, agentId, this.#deps.clock.now())
      await this.#deps.events.publish(tx, AgentAssigned, { projectId, agentId }, by, projectId)
    })
  }

  unassign(projectId: ProjectId, agentId: AgentId, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      await this.get(projectId)
      await this.mustBelong(projectId, agentId)
      await new ProjectStore(tx).unassign(projectId, agentId)
      await this.#deps.events.publish(tx, AgentUnassigned, { projectId, agentId }, by, projectId)
    })
  }
}

type Names = { readonly id: string; readonly key: string | null; readonly name: string }

/** A key that is also another project's id or name would lead people to the wrong one. */
function mustBeFree(key: string, others: readonly Names[]): void {
  const other = others.find(({ id, key: taken, name }) => [id, taken, name].includes(key))
  if (!other) return
  const what = other.key === key ? 'key' : other.id === key ? 'id' : 'name'
  throw ProjectError.PROJECT_EXISTS({ what: `${what} ${key}` })
}
