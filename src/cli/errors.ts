import { error, errors, type HubError, type Text } from '#contract/errors.ts'

export const EXIT = { done: 0, failed: 1, wrongUse: 2, unreachable: 3, notAllowed: 4 } as const

export const CliError = errors({
  USAGE: error('invalid', (p: { text: Text }) => p.text),
  HUB_NOT_RUNNING: error('unavailable', (p: { db: string }) => ({
    en: `No hub runs for ${p.db}. \`toryo up\` starts one.`,
    ja: `${p.db} のハブは動いていません。\`toryo up\` で起動できます。`,
  })),
  REFUSED: error('forbidden', (p: { text: Text }) => p.text),
  FAILED: error('conflict', (p: { text: Text }) => p.text),
})

const UNREACHABLE = new Set([
  'HUB_NOT_RUNNING',
  'HUB_UNREACHABLE',
  'HUB_NOT_PROVEN',
  'HOST_NOT_ALLOWED',
  'CERTIFICATE_REFUSED',
  'NOT_A_HUB',
])

/** The one place that says which refusal is which exit code. */
export function exitCodeOf(problem: HubError): number {
  if (UNREACHABLE.has(problem.code)) return EXIT.unreachable
  switch (problem.kind) {
    case 'unauthenticated':
    case 'forbidden':
      return EXIT.notAllowed
    case 'invalid':
      return EXIT.wrongUse
    default:
      return EXIT.failed
  }
}

/** What a person runs where the hub, which speaks to models, names a tool. */
const COMMANDS: Readonly<Record<string, string>> = {
  list_projects: 'toryo project list',
  'get-projects': 'toryo project list',
  list_agents: 'toryo agent list',
  list_tasks: 'toryo task list',
  list_roles: 'toryo doctor',
  list_execution_logs: 'toryo run list',
  'get-topics': 'toryo memory list',
  gwt_list_tabs: 'toryo tab list',
  gwt_stop_tab: 'toryo tab stop',
}
const TOOLS = new RegExp(String.raw`(?<![\w-])(?:${Object.keys(COMMANDS).join('|')})(?![\w-])`, 'g')

/** The sentence of a refusal with the command that shows or does what it speaks of. */
export function inCommands({ code, text, details }: HubError): Text {
  const value = (name: string) => String(details[name])
  if (code === 'GROUP_NOT_FOUND')
    return {
      en: `Crew ${value('groupId')} not found. Use \`toryo crew list\` to list them.`,
      ja: `クルー ${value('groupId')} はありません。\`toryo crew list\` で一覧を確認できます。`,
    }
  if (code === 'GROUP_HAS_RUNNING_AGENTS')
    return {
      en: `${value('count')} runs of crew ${value('groupId')} have not ended yet. Wait for them, or stop them with \`toryo crew stop ${value('groupId')}\`.`,
      ja: `クルー ${value('groupId')} には終了していない実行が ${value('count')} 件あります。終了を待つか、\`toryo crew stop ${value('groupId')}\` で停止してください。`,
    }
  if (code === 'WORKTREE_IN_USE')
    return {
      en: `The worktree of ${value('branch')} is in use by ${value('tabId')}; end that tab with \`toryo tab stop ${value('branch')}\` first, or choose another branch.`,
      ja: `${value('branch')} のワークツリーは ${value('tabId')} が使用中です。\`toryo tab stop ${value('branch')}\` でそのタブを終了するか、別のブランチを選んでください。`,
    }
  if (code === 'NOT_A_REPOSITORY' && details['directory'] === null)
    return {
      en: 'No project with a folder is meant; name one with --project, or go to the folder of one.',
      ja: '対象のフォルダーがありません。--project で指定するか、プロジェクトのフォルダーで実行してください。',
    }
  if (code === 'INVALID_PHASE_TRANSITION' && details['missing'] === undefined)
    return {
      en: `${value('phase')} is not in progress; \`toryo phase status\` shows where the project stands.`,
      ja: `${value('phase')} は進行中ではありません。\`toryo phase status\` で現在の状態を確認できます。`,
    }
  const named = (sentence: string) => sentence.replaceAll(TOOLS, tool => `\`${COMMANDS[tool]}\``)
  return { en: named(text.en), ja: named(text.ja) }
}
