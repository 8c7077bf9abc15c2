import { setTimeout as pause } from 'node:timers/promises'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { worktreeId } from '../find-worktree.ts'
import { slowly } from '../slowly.ts'
import { branchProject, projectHere } from '../project-here.ts'
import { argument } from '../texts-help.ts'
import { worktreeTexts } from '../texts-worktree.ts'

/** It may take half an hour, longer than one call should. */
const POLL_MS = 500

const words = {
  preparing: (worktree: string) => ({
    en: `Preparing ${worktree} …`,
    ja: `${worktree} を準備しています…`,
  }),
  prepared: (what: string) => ({ en: `${what} is prepared.`, ja: `${what} の準備ができました。` }),
  failed: (what: string, error: string, log: string) => ({
    en: `The setup of ${what} failed: ${error}. Its output is in ${log}.`,
    ja: `${what} のセットアップに失敗しました: ${error}。出力は ${log} にあります。`,
  }),
}

export default command<[worktree: string], { project?: string }>({
  summary: { en: 'Prepare a worktree again', ja: 'ワークツリーのセットアップをやり直す' },
  order: 13,
  when: {
    en: 'When the preparation of a worktree failed, or must run again.',
    ja: 'ワークツリーの準備が失敗した、またはやり直すときに。',
  },
  arguments: [{ name: '<worktree>', text: argument.worktree }],
  options: [branchProject],
  examples: [['toryo tab setup feature/auth', { en: 'after it failed, say', ja: '失敗したあとなど' }]],
  output: 'worktree.setup',
  async run(cx, { project }, name) {
    const { io } = cx
    const hub = await cx.connect()
    const here = await projectHere(cx, hub, undefined)
    const worktree_id = await worktreeId(hub, name, { project, here, trashed: false })
    const done = await slowly(cx, words.preparing(visibleLine(name)), async () => {
      let worktree = await hub.call('worktree.setup', { worktree_id })
      while (worktree.setup === 'running') {
        await pause(POLL_MS)
        worktree = await hub.call('worktree.show', { worktree_id })
      }
      return worktree
    })
    const what = visibleLine(done.branch ?? done.path)
    if (done.setup === 'succeeded') return { json: done, text: io.say(words.prepared(what)) }
    if (done.setup !== 'failed') return { json: done, text: '', note: io.say(worktreeTexts.noSetup) }
    const failed = words.failed(what, visibleLine(done.setup_error ?? ''), done.setup_log ?? '')
    return { json: done, text: '', note: io.say(failed), code: 1 }
  },
})
