import { z } from 'zod'
import type { CallerKind } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import { operation } from '#kernel/operation.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import { type DetailServices, detailOf } from './detail.ts'
import type { Launching, Prepared } from './launching.ts'
import { launched, stopped } from './outcome.ts'
import { messageView } from './views.ts'

type Services = DetailServices & { launches: Launching }

const MOST = 1000
/** An agent that uses the command line in its tab is that tab, not the person. */
const PEOPLE_AND_TABS: readonly CallerKind[] = ['operator', 'tab']
const LAST_MESSAGES = 20

export const tabOperations = [
  operation<'tab.launch', Services, Prepared>(
    'tab.launch',
    'write',
    async (services: Services, _input, call) =>
      detailOf(services, await services.launches.launch(call.prepared, call.caller), call.lang),
    async ({ launches }: Services, { engine, branch, project_id, directory, base, prompt }, call) =>
      launches.prepare({ engine, branch, projectId: project_id, directory, base, prompt }, call.caller),
    PEOPLE_AND_TABS,
    async (services: Services, { tab_id }, call) =>
      detailOf(services, await launched(services, tab_id, call), call.lang),
  ),
  operation(
    'tab.list',
    'read',
    async (services: Services, input, call) => {
      const limit = limitOf(input.limit)
      const after = readCursor(input.cursor, z.string()) ?? ''
      const filter = { live: input.all !== true, projectId: input.project_id }
      const rows = await services.tabs.list(filter, after, limit + 1, call.caller)
      const details = await Promise.all(rows.map(tab => detailOf(services, tab, call.lang)))
      const { items, ...page } = pageOf(
        details,
        limit,
        detail => detail,
        ({ tab_id }) => tab_id,
      )
      return { tabs: items, ...page }
    },
    undefined,
    PEOPLE_AND_TABS,
  ),
  operation(
    'tab.show',
    'read',
    async (services: Services, input, call) => {
      const tab = await services.tabs.get(input.tab_id, call.caller)
      const messages = await services.messages.list(tab.id, undefined, LAST_MESSAGES)
      const detail = await detailOf(services, tab, call.lang)
      return { ...detail, messages: messages.map(messageView), last_screen: await services.tabs.lastScreen(tab) }
    },
    undefined,
    PEOPLE_AND_TABS,
  ),
  operation(
    'tab.send',
    'write',
    async ({ tabs, messages }: Services, input, call) => {
      const { tab_id, project_id: projectId, message } = input
      if (tab_id !== undefined && projectId !== undefined) throw CoreError.INVALID_ARGUMENT({ reason: ONE_OR_ALL })
      const to =
        tab_id === undefined
          ? await tabs.list({ live: true, projectId }, '', MOST, call.caller)
          : [await tabs.getLive(tab_id, call.caller)]
      const { caller } = call
      const others = to.filter(({ id }) => caller.kind !== 'tab' || tab_id !== undefined || id !== caller.tabId)
      const sent = await messages.send(others, message, caller)
      return { messages: sent.map(messageView) }
    },
    undefined,
    PEOPLE_AND_TABS,
  ),
  operation(
    'tab.stop',
    'destroy',
    async (services: Services, input, call) =>
      detailOf(services, await services.tabs.requestStop(input.tab_id, call.caller), call.lang),
    undefined,
    PEOPLE_AND_TABS,
    async (services: Services, { tab_id }, call) =>
      detailOf(services, await stopped(services.tabs, tab_id, call), call.lang),
  ),
]

const ONE_OR_ALL = {
  en: 'Name one tab with tab_id, or all of a project with project_id.',
  ja: 'tab_id で 1 つのタブ、または project_id でプロジェクト全体を指定してください。',
}
