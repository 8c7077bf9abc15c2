import type { Text } from '#contract/errors.ts'
import type { TabPermission } from '#contract/permission.ts'
import type { TabDetail } from '#contract/tabs.ts'
import type { ApiOutput } from '#contract/api.ts'
import { type Answer, command } from '../define.ts'
import { EXIT } from '../errors.ts'
import type { Io } from '../io.ts'
import { visibleLine } from '../escape.ts'
import { textOrFile } from '../options.ts'
import { slowly } from '../slowly.ts'
import { about, argument, option } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'

type Options = { project?: string; base?: string; prompt?: string; permission?: TabPermission }

/** The hub itself answers within 45 s, also when the tab is not ready yet. */
const PATIENCE_MS = 90_000

export default command<[engine: string, branch: string], Options>({
  about: about.tabLaunch,
  arguments: [
    { name: '<engine>', text: argument.terminalEngine },
    { name: '<branch>', text: argument.branch },
  ],
  options: [
    { flags: '--project <project>', text: option.projectOrHere },
    { flags: '--base <ref>', text: option.base },
    { flags: '--prompt <text | @file>', text: option.firstPrompt },
    { flags: '--permission <permission>', text: option.tabPermission, choices: ['own', 'read', 'edit', 'full'] },
  ],
  examples: [
    [
      'toryo tab launch claude feature/login',
      { en: 'in the project of this folder', ja: 'このフォルダーのプロジェクトで' },
    ],
    [
      'toryo tab launch codex fix/42 --base main --prompt @task.md',
      { en: 'a new branch, and what to do', ja: '新しいブランチと最初の指示' },
    ],
  ],
  async run(cx, { project, base, prompt, permission }, engine, branch) {
    const first = textOrFile(prompt, cx.io.cwd)
    const hub = await cx.connect()
    const where = project === undefined ? { directory: cx.io.cwd } : { project_id: project }
    const wanted = { engine, branch, ...where, base, prompt: first, permission }
    const tab = await slowly(cx, tabTexts.launching(visibleLine(branch)), () =>
      hub.call('tab.launch', wanted, { timeoutMs: PATIENCE_MS }),
    )
    if (tab.ended_at !== null) return ended(tab, cx.io)
    return {
      json: tab,
      text: cx.io.say(tabTexts.launched(tab.agent_type, tab.branch, tab.tab_id)),
      note: cx.io.say(whatNext(tab)),
    }
  },
})

function ended(tab: ApiOutput<'tab.launch'>, io: Io): Answer {
  const { agent_type, branch, exit_code, exit_signal, last_lines } = tab
  const signal = exit_signal === null ? tabTexts.exitUnknown : tabTexts.exitSignal(exit_signal)
  const how = exit_code === null || exit_signal !== null ? signal : tabTexts.exitCode(exit_code)
  const shown = last_lines.map(line => `\n  ${visibleLine(line)}`).join('')
  return { json: tab, text: '', note: io.say(tabTexts.endedAtOnce(agent_type, branch, how)) + shown, code: EXIT.failed }
}

function whatNext({ setup, setup_error, branch }: TabDetail): Text {
  if (setup === 'failed') return tabTexts.setupFailed(visibleLine(setup_error ?? ''), branch)
  // The hub answers after a while, whether it is ready or not.
  return setup === 'running' ? tabTexts.stillPreparing(branch) : tabTexts.attachHint(branch)
}
