// Which toolsets were given: an agent's are in its row, those of roles, tabs and the registered bridge in the configuration.
import { GIVEN_TOOLSETS } from '#contract/toolsets.ts'
import type { Config } from '#contract/config.ts'
import type { GivenToolsets } from '#transports/hub.ts'
import type { Services } from './services.ts'

type Deps = {
  config: () => Pick<Config, 'tabs' | 'registration'>
  services: Pick<Services, 'agents' | 'crewRuns' | 'roles'>
}

export function givenToolsets({ config, services: { agents, crewRuns, roles } }: Deps): GivenToolsets {
  return {
    async given(opener) {
      switch (opener.kind) {
        case 'starter':
        case 'agent':
          return (await agents.find(opener.agentId))?.toolsets ?? []
        case 'run':
          if (opener.work === 'review') return []
          return roles.toolsetsOf((await crewRuns.find(opener.runId))?.role ?? '')
        case 'tab':
          return config().tabs.toolsets
        default:
          return []
      }
    },
    registered: () => GIVEN_TOOLSETS.filter(name => name === 'tabs' || config().registration.toolsets.includes(name)),
  }
}
