import { z } from 'zod'
import type { CallerKind } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import type { TabId } from '#contract/id-types.ts'
import { operation } from '#kernel/operation.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import type { Call, Running } from '#kernel/tool.ts'
import { type DetailServices, recordOf } from './detail.ts'
import type { Launching, Prepared } from './launching.ts'
import { endingOf, launched, stopped } from './outcome.ts'
import { messageView } from './views.ts'

type Services = DetailServices & { launches: Launching }

const MOST = 1000
/** An agent that uses the command line in its tab is that tab, not the person. */
const PEOPLE_AND_TABS: readonly CallerKind[] = ['operator', 'tab']
const LAST_MESSAGES = 20
const DIFF_BYTES = 1_000_000

/** How every launch ends: with its row written, then with what became of its start. */
export const launchSteps = {
  run: async (services: Services, _input: unknown, call: Running<Prepared>) => ({
    ...(await recordOf(services, await services.launches.launch(call.prepared, call.caller), call.lang)),
    exit_signal: null,
    last_lines: [],
  }),
  async after(services: Services, { tab_id }: { tab_id: TabId }, call: Call) {
    const tab = await launched(services, tab_id, call)
    const { exit_signal = null, last_lines = [] } = await endingOf(services.tabs, tab)
    return { ...(await recordOf(services, tab, call.lang)), exit_signal, last_lines }
  },
}

export const tabOperations = [
  operation<'tab.launch', Services, Prepared>({
    name: 'tab.launch',
    effect: 'write',
    callers: PEOPLE_AND_TABS,
    prepare: async ({ launches }: Services, { project_id: projectId, task_id: taskId, ...wish }, call) =>
      launches.prepare({ ...wish, projectId, taskId }, call.caller),
    ...launchSteps,
  }),
  operation({
    name: 'tab.list',
    effect: 'read',
    callers: PEOPLE_AND_TABS,
    async run(services: Services, input, call) {
      const limit = limitOf(input.limit)
      const after = readCursor(input.cursor, z.string()) ?? ''
      const filter = { live: input.all !== true, projectId: input.project_id }
      const rows = await services.tabs.list(filter, after, limit + 1, call.caller)
      const details = await Promise.all(rows.map(tab => recordOf(services, tab, call.lang)))
      const { items, ...page } = pageOf(
        details,
        limit,
        detail => detail,
        ({ tab_id }) => tab_id,
      )
      return { tabs: items, ...page }
    },
  }),
  operation({
    name: 'tab.show',
    effect: 'read',
    callers: PEOPLE_AND_TABS,
    async run(services: Services, input, call) {
      const tab = await services.tabs.get(input.tab_id, call.caller)
      const messages = await services.messages.list(tab.id, undefined, LAST_MESSAGES)
      const detail = await recordOf(services, tab, call.lang)
      const { caller } = call
      // What stands in another's terminal may be a person's half-typed line: agents see no screen but their own.
      const mayLook = caller.kind === 'operator' || (caller.kind === 'tab' && caller.tabId === tab.id)
      return {
        ...detail,
        messages: messages.map(messageView),
        screen: mayLook ? await services.tabs.screen(tab) : null,
        last_screen: await services.tabs.lastScreen(tab),
      }
    },
  }),
  operation({
    name: 'tab.screen',
    effect: 'read',
    async run({ tabs }: Services, input, call) {
      const tab = await tabs.get(input.tab_id, call.caller)
      const lines = (await tabs.screen(tab)) ?? (await tabs.lastScreen(tab)) ?? []
      return { tab_id: tab.id, status: await tabs.status(tab), lines }
    },
  }),
  operation({
    name: 'tab.files',
    effect: 'read',
    callers: PEOPLE_AND_TABS,
    async run({ tabs, worktrees }: Services, input, call) {
      const { worktreeId } = await tabs.get(input.tab_id, call.caller)
      return worktreeId === null ? { files: [], truncated: false } : worktrees.changedFiles(worktreeId, call.signal)
    },
  }),
  operation({
    name: 'tab.diff',
    effect: 'read',
    callers: PEOPLE_AND_TABS,
    async run({ tabs, worktrees }: Services, input, call) {
      const { worktreeId } = await tabs.get(input.tab_id, call.caller)
      return worktreeId === null ? { diff: '', truncated: false } : worktrees.diff(worktreeId, DIFF_BYTES, call.signal)
    },
  }),
  operation({
    name: 'tab.send',
    effect: 'write',
    callers: PEOPLE_AND_TABS,
    async run({ tabs, messages }: Services, input, call) {
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
  }),
  operation({
    name: 'message.list',
    effect: 'read',
    async run({ tabs, messages }: Services, input, call) {
      if (input.tab_id !== undefined) await tabs.get(input.tab_id, call.caller)
      const limit = limitOf(input.limit)
      const filter = { tabId: input.tab_id, projectId: input.project_id }
      const rows = await messages.newest(filter, readCursor(input.cursor, z.int()), limit + 1)
      const { items, ...page } = pageOf(rows, limit, messageView, ({ seq }) => seq)
      return { messages: items, ...page }
    },
  }),
  operation({
    name: 'message.cancel',
    effect: 'write',
    run: async ({ messages }: Services, input, call) =>
      messageView(await messages.cancel(input.message_id, call.caller)),
  }),
  operation({
    name: 'tab.stop',
    effect: 'destroy',
    callers: PEOPLE_AND_TABS,
    run: async (services: Services, input, call) =>
      recordOf(services, await services.tabs.requestStop(input.tab_id, call.caller), call.lang),
    after: async (services: Services, { tab_id }, call) =>
      recordOf(services, await stopped(services.tabs, tab_id, call), call.lang),
  }),
]

const ONE_OR_ALL = {
  en: 'Name one tab with tab_id, or all of a project with project_id.',
  ja: 'tab_id で 1 つのタブ、または project_id でプロジェクト全体を指定してください。',
}
