// One sentence for each type of event, in English. What is missing here or in Japanese fails a test.
import type { Said } from './model.ts'
import { endsEn, runEnded } from './run-ends.ts'

export type Sentences = Readonly<Record<string, (said: Said) => string>>

const because = (reason: string) => (reason === '' ? '' : `: ${reason}`)
/** `1 file`, `3 files`. */
const count = (said: Said, key: string, one: string) => `${said.text(key)} ${one}${said.text(key) === '1' ? '' : 's'}`
const fields = (said: Said) => said.list('fields').join(', ')

export const en: Sentences = {
  'task.added': s => `added ${s.task()}`,
  'task.edited': s => `edited ${s.task()} (${fields(s)})`,
  'task.deleted': s => `deleted ${s.text('handle')} ${s.text('title')}`,
  'task.restored': s => `restored ${s.task()}`,
  'task.purged': s => `removed ${s.text('handle')} for good`,
  'task.ordered': s => `put ${s.task()} in another place of its column`,
  'task.moved': s => `moved ${s.task()}: ${s.word('from')} → ${s.word('to')}${because(s.because('en'))}`,
  'task.assigned': s => (s.has('agentId') ? `assigned ${s.task()} to ${s.agent()}` : `unassigned ${s.task()}`),
  'task.answered': s => `answered ${s.task()}`,
  'task.linked': s => `${s.task()} now depends on ${s.task('dependsOn')}`,
  'task.unlinked': s => `${s.task()} no longer depends on ${s.task('dependsOn')}`,
  'task.nested': s =>
    s.has('parentId') ? `made ${s.task()} a sub-task of ${s.task('parentId')}` : `made ${s.task()} a task of its own`,
  'task.ready': s => `${s.task()} can start: everything it depends on is accepted`,
  'task.verified': s => `${s.task()} passed its required checks in its workspace`,
  'task.returned': s =>
    `${s.task()} went back to its agent: ${{ checks: 'checks failed', changes: 'changes are wanted', conflict: 'merge conflict' }[s.text('why')] ?? s.text('why')}`,
  'task.decision_superseded': s =>
    `${s.task()} follows decision ${s.decision()}, which ${s.decision('supersededBy')} has replaced`,
  'note.saved': s => `saved progress on ${s.task()}`,
  'handoff.created': s =>
    s.has('to')
      ? `${s.agent('from')} handed ${s.task()} over to ${s.agent('to')}`
      : `${s.agent('from')} handed ${s.task()} over to any agent`,
  'handoff.accepted': s => `${s.agent('by')} took over ${s.task()}`,
  'workspace.made': s => `made a workspace for ${s.task()} on ${s.text('branch')}`,
  'workspace.released': s => `released the workspace of ${s.task()}`,
  'snapshot.asked': s => `had the work on ${s.task()} read again`,
  'snapshot.taken': s => `took a snapshot of ${s.task()}: ${count(s, 'changedFiles', 'changed file')}`,
  'check.added': s => `added the check ${s.text('name')} to ${s.project()}`,
  'check.removed': s => `removed the check ${s.text('name')} from ${s.project()}`,
  'check.edited': s => `changed the check ${s.text('name')} of ${s.project()}`,
  'check.trusted': s => `trusted the check ${s.text('name')} of ${s.project()}`,
  'check.started': s => `check ${s.text('check')} started on ${s.task()}`,
  'check.ended': s => `check ${s.text('check')} on ${s.task()}: ${s.word('outcome')}`,
  'comment.added': s => `commented on ${s.task()}`,
  'comment.answered': s => `answered a comment on ${s.task()}`,
  'review.asked': s => `asked ${s.agent()} to review ${s.task()}`,
  'review.started': s => `the review of ${s.task()} started`,
  'review.failed': s => `the review of ${s.task()} failed${because(s.because('en'))}`,
  'verdict.given': s => (s.text('decision') === 'accept' ? `accepted ${s.task()}` : `wants changes in ${s.task()}`),
  'merge.queued': s =>
    ({ undo: `queued the undo of the merge of ${s.task()}`, redo: `queued the merge of ${s.task()} again` })[
      s.text('kind')
    ] ?? `queued ${s.task()} for merging`,
  'merge.waits': s => `the merge of ${s.task()} waits${because(s.because('en'))}`,
  'merge.ended': s =>
    s.text('kind') === 'undo'
      ? `undo of the merge of ${s.task()}: ${s.text('outcome') === 'merged' ? 'done' : s.word('outcome')}`
      : `merge of ${s.task()}: ${s.word('outcome')}`,
  'pull.begun': s => `began a pull request for ${s.task()}`,
  'pull.opened': s => `opened a pull request for ${s.task()}: ${s.text('url')}`,
  'pull.ended': s => `pull request of ${s.task()}: ${s.word('outcome')}`,
  'overlap.found': s => {
    const [a, b] = s.sides()
    return `${a} and ${b} change the same lines: ${s.list('files').join(', ')}`
  },
  'overlap.gone': s => {
    const [a, b] = s.sides()
    return `${a} and ${b} no longer overlap`
  },

  'run.started': s => (s.has('crewId') ? `run of ${s.run()} started` : `started work on ${s.task()}`),
  'run.taken': s => `${s.agent()} took ${s.task()}`,
  'run.ended': s => runEnded(s, endsEn),
  'run.settled': s => `the process of the run of ${s.run()} ended`,
  'run.progressed': s =>
    `${s.run()}: ${count(s, 'toolCalls', 'tool call')}, ${count(s, 'files', 'file')}${because(s.text('message'))}`,
  'run.stop_asked': s => `asked the run of ${s.run()} to stop${because(s.word('reason'))}`,
  'group:created': s => `created the crew ${s.text('description') || s.text('groupId')}`,
  'group:deleted': s => `deleted the crew ${s.text('groupId')}`,
  'agent:created': s => `planned a run of ${s.run('agentId')}`,
  'agent:result_reported': s => `${s.run('agentId')} reported ${s.word('status')}${because(s.text('summary'))}`,
  'stage.started': s => `stage ${Number(s.text('stage')) + 1} of a crew started, ${s.list('runIds').length} runs`,
  'plan.ended': s => `a crew ended: ${s.word('outcome')}`,
  'instance.start_claimed': s => `${s.agent()} is being started on ${s.project()}`,
  'instance.signed_in': s => `${s.agent()} signed in to ${s.project()}`,
  'instance.signed_out': s => `${s.agent()} signed out of ${s.project()}${because(s.word('reason'))}`,
  'instance.ended': s => `the process of ${s.agent()} ended${because(s.text('message'))}`,
  'instance.lost': s => `${s.agent()} was lost on ${s.project()}; restart ${s.text('restarts')}`,
  'engine.paused': s => `${s.text('engine')} is paused${because(s.text('reason'))}`,
  'engine.resumed': s => `${s.text('engine')} goes on`,

  'tab.created': s => `opened a tab: ${s.text('engine')} on ${s.text('branch')}`,
  'tab.prepared': s => `the worktree of tab ${s.tab()} is ready`,
  'tab.opened': s => (s.has('adopted') ? `found tab ${s.tab()} again` : `the terminal of tab ${s.tab()} started`),
  'tab.status_changed': s => `tab ${s.tab()} is ${s.word('status')}`,
  'tab.stop_requested': s => `asked tab ${s.tab()} to stop`,
  'tab.ended': s => `tab ${s.tab()} ended: ${s.word('reason')}${because(s.because('en'))}`,
  'message.queued': s => `a message for tab ${s.tab()} is queued`,
  'message.delivered': s => `a message was delivered to tab ${s.tab()}`,
  'message.undeliverable': s => `a message for tab ${s.tab()} cannot be delivered${because(s.word('reason'))}`,
  'worktree.created': s => `made the worktree ${s.text('branch') || s.text('path')}`,
  'worktree.removed': s => `removed the worktree ${s.text('branch') || s.text('path')} (${s.word('reason')})`,
  'worktree.restored': s => `restored the worktree ${s.text('branch') || s.text('path')}`,
  'worktree.purged': s => `deleted the worktree ${s.text('branch') || s.text('path')} for good`,
  'worktree.setup_ended': s => `setup of the worktree ${s.text('branch') || s.text('path')}: ${s.word('setup')}`,
  'worktree.setup_trusted': s => `trusted the setup command of ${s.project()}: ${s.list('command').join(' ')}`,

  'topic.added': s => `added the topic ${s.topic()}`,
  'entry.added': s => `wrote an entry in ${s.topic()}`,
  'decision.added': s =>
    s.has('supersedes')
      ? `decided ${s.decision()}, which replaces #${s.text('supersedes')}`
      : `decided ${s.decision()}`,
  'memory.index_rebuilt': s => `rebuilt the search index: ${s.text('records')} records`,

  'phase.started': s => `${s.text('phase')} of ${s.project()} started${s.has('again') ? ' again' : ''}`,
  'phase.ended': s =>
    `${s.text('phase')} of ${s.project()} ended: ${s.word('outcome')}${s.list('missing').length > 0 ? `, missing ${s.list('missing').join(', ')}` : ''}`,
  'phase.turned': s =>
    s.text('kind') === 'back'
      ? `${s.project()} went back to ${s.text('phase')}${because(s.text('reason'))}`
      : `${s.project()} began round ${s.text('round')}${because(s.text('reason'))}`,
  'phase.prompt_adopted': s => `${s.text('phase')} of ${s.project()} goes on with the newest prompt`,
  'phase.checkpoint_saved': s => `saved the checkpoint ${s.text('checkpoint')} in ${s.text('phase')} of ${s.project()}`,
  'prompt.edited': s => `edited the prompt of ${s.text('phase')} (${s.text('language')}), version ${s.text('version')}`,

  'project.added': s => `added the project ${s.project()}`,
  'project.edited': s => `edited the project ${s.project()}`,
  'project.archived': s => `archived the project ${s.project()}`,
  'project.activated': s => `activated the project ${s.project()}`,
  'project.agent_assigned': s => `assigned ${s.agent()} to ${s.project()}`,
  'project.agent_unassigned': s => `removed ${s.agent()} from ${s.project()}`,
  'project.trusted': s => `trusted the folder ${s.text('directory')}`,
  'project.start_refused': s => `the Runner ${s.text('runner')} refused to start in ${s.project()}: ${s.because('en')}`,
  'agent.added': s => `added the agent ${s.agent()}`,
  'agent.edited': s => `edited the agent ${s.agent()} (${fields(s)})`,
  'agent.enabled': s => `enabled ${s.agent()}`,
  'agent.disabled': s => `disabled ${s.agent()}`,
  'agent.toolsets_changed': s => `changed the toolsets of ${s.agent()}: ${s.list('toolsets').join(', ')}`,
  'agent.passkey_rotated': s => `gave ${s.agent()} a new passkey`,
  'agent.sign_in_failed': s =>
    s.has('agentId') ? `a sign-in as ${s.agent()} was refused` : 'a sign-in with an unknown id was refused',

  'runner.added': s => `added the Runner ${s.text('name')}`,
  'runner.revoked': s => `revoked the Runner ${s.text('name')}`,
  'token.added': s => `created the token ${s.text('name')}`,
  'token.revoked': s => `revoked the token ${s.text('name')}`,
  'page.signed_in': () => 'a browser signed in',
  'page.signed_out': () => 'a browser was signed out',
  'config.changed': s => `changed settings: ${s.list('paths').join(', ')}`,
  'call.refused': s => `${s.text('tool')} was refused: ${s.text('code')}`,
  'inbox.seen': () => 'dismissed an item of Needs you',
  'inbox.snoozed': () => 'snoozed an item of Needs you',
}
