// What a caller was started with, by what is stored of it: configuration may have changed since, and hubs may have.
import type { Caller } from '#contract/caller.ts'
import { grantedBy, leastOf, Permission, USUAL_PERMISSION } from '#contract/permission.ts'
import type { Tab } from '#domains/tabs/model.ts'
import type { Services } from './services.ts'

/** One that signed in as an agent is still what it was before: of several callers the weakest counts. Undefined: a person's own. */
export function startedWith(services: () => Pick<Services, 'crewRuns' | 'tabs' | 'starts'>) {
  const one = async (caller: Caller): Promise<Permission | undefined> => {
    const { crewRuns, tabs, starts } = services()
    switch (caller.kind) {
      case 'run':
        // What is not known any more may do the least.
        return Permission.catch('read').parse((await crewRuns.find(caller.runId))?.permission)
      case 'tab':
        return ofTab(await tabs.find(caller.tabId))
      case 'starter':
        return (await starts.permissionOf(caller)) ?? USUAL_PERMISSION
      case 'agent':
        // Without an instance it was started by a person, with a permission that only the person knows.
        return starts.permissionOf(caller)
      default:
        return undefined
    }
  }
  return async (...callers: Caller[]): Promise<Permission | undefined> => leastOf(await Promise.all(callers.map(one)))
}

function ofTab(tab: Tab | undefined): Permission {
  return tab ? grantedBy(tab.permission) : 'read'
}
