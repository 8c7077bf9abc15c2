// What a project has behind it, as Memory and Phases show it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestHub } from '../hub.ts'

export async function remember(
  hub: TestHub,
): Promise<{ top: number; payments: number; first: number; second: number }> {
  const add = async (title: string, parent?: number) =>
    (
      await hub.api('memory.topic.add', {
        ...{ project_id: 'prj_shop', title, description: 'What holds for the whole shop.' },
        ...(parent !== undefined && { parent_topic_id: parent }),
      })
    ).id
  const top = await add('Architecture')
  const payments = await add('決済とセッション', top)
  await add('Retries after a timeout', payments)
  await add('Prices', top)
  await add('Deployment')
  const decide = async (decision: string, reason: string, supersedes?: number) =>
    (
      await hub.api('memory.decision.add', {
        ...{ topic_id: payments, decision, reason, task_ids: ['tsk_03'] },
        ...(supersedes !== undefined && { supersedes }),
      })
    ).id
  const first = await decide('Sessions are bearer tokens', 'The mobile app needs no cookies.')
  const second = await decide('Sessions are cookies, HttpOnly', 'A script must not read them.', first)
  await hub.api('memory.decision.add', { topic_id: top, decision: 'One process', reason: 'Nothing to deploy twice.' })
  await hub.api('memory.log.add', {
    ...{
      topic_id: payments,
      content: 'Tried SameSite=Strict: the payment provider’s redirect loses the session.\n次は Lax で試す。',
    },
  })
  return { top, payments, first, second }
}

export const PROMPT =
  '---\nrequires: [docs/plan.md, docs/api.md]\n---\n# Plan\n\nTurn the requirements into tasks.\nRisky ones first.\n'

/** Phase 0 is done, phase 1 is under way with a prompt of the project's own. */
export async function halfWay(hub: TestHub, project_id: string, folder: string): Promise<void> {
  for (const language of ['en', 'ja'] as const)
    await hub.api('phase.prompt.edit', { phase: 'phase1', language, content: PROMPT, project_id })
  await hub.api('phase.start', { project_id })
  mkdirSync(join(folder, 'docs'), { recursive: true })
  writeFileSync(join(folder, 'docs', 'requirements.md'), 'x')
  await hub.api('phase.advance', {
    ...{ project_id, status: 'partial', output_files: ['docs/requirements.md', 'docs/gone.md'] },
    summary: 'Prices are integers. Sessions are cookies.\n端数処理は要確認。',
  })
  await hub.call('inject_phase_prompt', { phase: 'phase1', project_id })
  const data = { done: ['cart'], next: 'checkout' }
  await hub.call('save_phase_result', { phase: 'phase1', project_id, result: { checkpoint: 'half the cart', data } })
}
