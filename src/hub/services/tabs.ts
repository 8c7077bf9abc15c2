import type { StartedWith } from '#domains/runs/ports.ts'
import { Launching } from '#domains/tabs/launching.ts'
import { Messages } from '#domains/tabs/messages.ts'
import { Tabs } from '#domains/tabs/service.ts'
import { TabTickets } from '#domains/tabs/tickets.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Narrowed } from '../narrowed-by.ts'
import { exactFolders } from '../project-folders.ts'
import type { Over, Services } from '../services.ts'
import { taskWorkspaces } from './task-workspaces.ts'

export type TabServices = { tabs: Tabs; tabTickets: TabTickets; messages: Messages; launches: Launching }

type Needs = Pick<Services, 'projects' | 'trusts'> & { startedWith: StartedWith; narrowed: Narrowed }
type Later = () => Pick<Services, 'tasks' | 'workspaces' | 'bases'>

export function tabServices({ db, kernel }: Over, needs: Needs, later: Later): TabServices {
  const { projects, trusts, startedWith, narrowed } = needs
  const { events, clock, ids, limits } = kernel
  const { hub, screens, engines, repositories, permission } = kernel.tabs
  const messages = (db: Db) => new Messages({ db, events, clock, ids, limits })
  const tabs = new Tabs({
    db,
    events,
    clock,
    ids,
    hub,
    limits,
    narrowed,
    screens,
    permission,
    messages,
    startedWith,
  })
  const launches = new Launching({
    projects: exactFolders(projects),
    repositories,
    engines,
    trust: trusts,
    tabs,
    workspaces: taskWorkspaces(later),
  })
  return { tabs, tabTickets: new TabTickets(db), messages: messages(db), launches }
}
