// What is said of a tab that was launched, by whichever command.
import type { ApiOutput } from '#contract/api.ts'
import type { Text } from '#contract/errors.ts'
import type { TabRecord } from '#contract/records.ts'
import type { Answer } from './define.ts'
import { EXIT } from './errors.ts'
import { visibleLine } from './escape.ts'
import type { Io } from './io.ts'
import { tabTexts } from './texts-tab.ts'

/** The hub itself answers within 45 s, also when the tab is not ready yet. */
export const LAUNCH_PATIENCE_MS = 90_000

const words = {
  stillPreparing: (branch: string) => ({
    en: `Its worktree is still being prepared; \`toryo tab show ${branch}\` shows how it goes on.`,
    ja: `ワークツリーの準備が続いています。\`toryo tab show ${branch}\` で状況を確認できます。`,
  }),
  launched: (engine: string, branch: string, id: string) => ({
    en: `Launched ${engine} on ${branch} (${id}).`,
    ja: `${branch} で ${engine} を起動しました (${id})。`,
  }),
  attachHint: (branch: string) => ({
    en: `\`toryo tab attach ${branch}\` shows it; Ctrl-\\ leaves it again.`,
    ja: `\`toryo tab attach ${branch}\` で画面を開き、Ctrl-\\ で離れます。`,
  }),
  setupFailed: (problem: string, branch: string) => ({
    en: `The project's setup command failed: ${problem} (\`toryo tab setup ${branch}\` tries again.)`,
    ja: `プロジェクトのセットアップに失敗しました: ${problem} (\`toryo tab setup ${branch}\` で再試行できます。)`,
  }),
}

export function launchedAnswer(tab: ApiOutput<'tab.launch'>, io: Io): Answer {
  if (tab.ended_at !== null) return ended(tab, io)
  return {
    json: tab,
    text: io.say(words.launched(tab.engine, tab.branch, tab.tab_id)),
    note: io.say(whatNext(tab)),
  }
}

function ended(tab: ApiOutput<'tab.launch'>, io: Io): Answer {
  const { engine, branch, exit_code, exit_signal, last_lines } = tab
  const signal = exit_signal === null ? tabTexts.exitUnknown : tabTexts.exitSignal(exit_signal)
  const how = exit_code === null || exit_signal !== null ? signal : tabTexts.exitCode(exit_code)
  const shown = last_lines.map(line => `\n  ${visibleLine(line)}`).join('')
  return { json: tab, text: '', note: io.say(tabTexts.endedAtOnce(engine, branch, how)) + shown, code: EXIT.failed }
}

function whatNext({ setup, setup_error, branch }: TabRecord): Text {
  if (setup === 'failed') return words.setupFailed(visibleLine(setup_error ?? ''), branch)
  // The hub answers after a while, whether it is ready or not.
  return setup === 'running' ? words.stillPreparing(branch) : words.attachHint(branch)
}
