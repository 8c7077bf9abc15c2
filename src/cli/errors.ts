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

/** The one place that says which refusal is which exit code. */
export function exitCodeOf(problem: HubError): number {
  if (['HUB_NOT_RUNNING', 'HUB_UNREACHABLE', 'NOT_A_HUB'].includes(problem.code)) return EXIT.unreachable
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

/** The hub speaks to models, and names tools; a person is told the command that shows the same. */
export function inCommands(problem: HubError): Text {
  const { projectId, agentId, taskId } = problem.details as Record<string, string | undefined>
  if (problem.code === 'PROJECT_NOT_FOUND' && projectId !== undefined)
    return {
      en: `There is no project ${projectId}; \`toryo project list\` shows the ones there are.`,
      ja: `プロジェクト ${projectId} はありません。\`toryo project list\` で一覧を確認できます。`,
    }
  if (problem.code === 'AGENT_NOT_FOUND' && agentId !== undefined)
    return {
      en: `There is no agent ${agentId}; \`toryo agent list\` shows the ones there are.`,
      ja: `エージェント ${agentId} はありません。\`toryo agent list\` で一覧を確認できます。`,
    }
  if (problem.code === 'TASK_NOT_FOUND' && taskId !== undefined)
    return {
      en: `There is no task ${taskId}; \`toryo task list\` shows the ones there are.`,
      ja: `タスク ${taskId} はありません。\`toryo task list\` で一覧を確認できます。`,
    }
  if (problem.code === 'INVALID_PHASE_TRANSITION' && problem.details['missing'] === undefined)
    return {
      en: `${String(problem.details['phase'])} is not in progress; \`toryo phase status\` shows where the project stands.`,
      ja: `${String(problem.details['phase'])} は進行中ではありません。\`toryo phase status\` で現在の状態を確認できます。`,
    }
  return problem.text
}
