import type { Text } from '#contract/errors.ts'
import type { TabDetail } from '#contract/tabs.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { textOrFile } from '../options.ts'
import { slowly } from '../slowly.ts'
import { about, argument, option } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'

type Options = { project?: string; base?: string; prompt?: string }

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
  async run(cx, { project, base, prompt }, engine, branch) {
    const first = textOrFile(prompt, cx.io.cwd)
    const hub = await cx.connect()
    const where = project === undefined ? { directory: cx.io.cwd } : { project_id: project }
    const wanted = { engine, branch, ...where, base, prompt: first }
    const tab = await slowly(cx, tabTexts.launching(visibleLine(branch)), () =>
      hub.call('tab.launch', wanted, { timeoutMs: PATIENCE_MS }),
    )
    return {
      json: tab,
      text: cx.io.say(tabTexts.launched(tab.agent_type, tab.branch, tab.tab_id)),
      note: cx.io.say(whatNext(tab)),
    }
  },
})

function whatNext({ setup, setup_error, branch }: TabDetail): Text {
  if (setup === 'failed') return tabTexts.setupFailed(visibleLine(setup_error ?? ''), branch)
  // The hub answers after a while, whether it is ready or not.
  return setup === 'running' ? tabTexts.stillPreparing(branch) : tabTexts.attachHint(branch)
}
