// 1 種類のイベントにつき 1 文。
import type { Said } from './model.ts'
import { endsJa, runEnded } from './run-ends.ts'
import type { Sentences } from './sentences.ts'

const because = (reason: string) => (reason === '' ? '' : `: ${reason}`)
const fields = (said: Said) => said.list('fields').join('、')

export const ja: Sentences = {
  'task.added': s => `${s.task()} を追加しました`,
  'task.edited': s => `${s.task()} を編集しました (${fields(s)})`,
  'task.deleted': s => `${s.text('handle')} ${s.text('title')} を削除しました`,
  'task.restored': s => `${s.task()} を復元しました`,
  'task.purged': s => `${s.text('handle')} を完全に削除しました`,
  'task.ordered': s => `${s.task()} を列の中で並べ替えました`,
  'task.moved': s => `${s.task()} を移動しました: ${s.word('from')} → ${s.word('to')}${because(s.because('ja'))}`,
  'task.assigned': s =>
    s.has('agentId') ? `${s.task()} を ${s.agent()} に割り当てました` : `${s.task()} の担当を外しました`,
  'task.answered': s => `${s.task()} に回答しました`,
  'task.linked': s => `${s.task()} が ${s.task('dependsOn')} に依存するようになりました`,
  'task.unlinked': s => `${s.task()} の ${s.task('dependsOn')} への依存を外しました`,
  'task.nested': s =>
    s.has('parentId')
      ? `${s.task()} を ${s.task('parentId')} のサブタスクにしました`
      : `${s.task()} を独立したタスクにしました`,
  'task.ready': s => `${s.task()} を開始できます。依存するタスクがすべて承認されました`,
  'task.verified': s => `${s.task()} がワークスペースで必須チェックに合格しました`,
  'task.returned': s =>
    `${s.task()} をエージェントに差し戻しました: ${{ checks: 'チェックの失敗', changes: '変更の依頼', conflict: 'マージの競合' }[s.text('why')] ?? s.text('why')}`,
  'task.decision_superseded': s =>
    `${s.task()} が従う決定 ${s.decision()} は ${s.decision('supersededBy')} に置き換えられました`,
  'note.saved': s => `${s.task()} の進捗を保存しました`,
  'handoff.created': s =>
    s.has('to')
      ? `${s.agent('from')} が ${s.task()} を ${s.agent('to')} に引き継ぎました`
      : `${s.agent('from')} が ${s.task()} を引き継ぎに出しました (相手は未定)`,
  'handoff.accepted': s => `${s.agent('by')} が ${s.task()} を引き継ぎました`,
  'workspace.made': s => `${s.task()} のワークスペースを ${s.text('branch')} に作成しました`,
  'workspace.released': s => `${s.task()} のワークスペースを解放しました`,
  'snapshot.asked': s => `${s.task()} の作業内容を読み直しました`,
  'snapshot.taken': s => `${s.task()} のスナップショットを取得しました: 変更 ${s.text('changedFiles')} ファイル`,
  'check.added': s => `${s.project()} にチェック ${s.text('name')} を追加しました`,
  'check.removed': s => `${s.project()} からチェック ${s.text('name')} を削除しました`,
  'check.edited': s => `${s.project()} のチェック ${s.text('name')} を変更しました`,
  'check.trusted': s => `${s.project()} のチェック ${s.text('name')} を信頼しました`,
  'check.started': s => `${s.task()} のチェック ${s.text('check')} を開始しました`,
  'check.ended': s => `${s.task()} のチェック ${s.text('check')}: ${s.word('outcome')}`,
  'comment.added': s => `${s.task()} にコメントしました`,
  'comment.answered': s => `${s.task()} のコメントに返信しました`,
  'review.asked': s => `${s.agent()} に ${s.task()} のレビューを依頼しました`,
  'review.started': s => `${s.task()} のレビューを開始しました`,
  'review.failed': s => `${s.task()} のレビューに失敗しました${because(s.because('ja'))}`,
  'verdict.given': s =>
    s.text('decision') === 'accept' ? `${s.task()} を承認しました` : `${s.task()} に変更を求めました`,
  'merge.queued': s =>
    ({
      undo: `${s.task()} のマージの取り消しをキューに入れました`,
      redo: `${s.task()} のマージを元に戻すためキューに入れました`,
    })[s.text('kind')] ?? `${s.task()} をマージ待ちに入れました`,
  'merge.waits': s => `${s.task()} のマージは待機中です${because(s.because('ja'))}`,
  'merge.ended': s =>
    s.text('kind') === 'undo'
      ? `${s.task()} のマージの取り消し: ${s.text('outcome') === 'merged' ? '完了' : s.word('outcome')}`
      : `${s.task()} のマージ: ${s.word('outcome')}`,
  'pull.begun': s => `${s.task()} のプルリクエストの作成を始めました`,
  'pull.opened': s => `${s.task()} のプルリクエストを作成しました: ${s.text('url')}`,
  'pull.ended': s => `${s.task()} のプルリクエスト: ${s.word('outcome')}`,
  'overlap.found': s => {
    const [a, b] = s.sides()
    return `${a} と ${b} が同じ行を変更しています: ${s.list('files').join('、')}`
  },
  'overlap.gone': s => {
    const [a, b] = s.sides()
    return `${a} と ${b} の重なりはなくなりました`
  },

  'run.started': s => (s.has('crewId') ? `${s.run()} の実行を開始しました` : `${s.task()} の作業を開始しました`),
  'run.taken': s => `${s.agent()} が ${s.task()} を受け取りました`,
  'run.ended': s => runEnded(s, endsJa),
  'run.settled': s => `${s.run()} の実行プロセスが終了しました`,
  'run.progressed': s =>
    `${s.run()}: ツール呼び出し ${s.text('toolCalls')} 回、${s.text('files')} ファイル${because(s.text('message'))}`,
  'run.stop_asked': s => `${s.run()} の実行に停止を求めました${because(s.word('reason'))}`,
  'group:created': s => `クルー ${s.text('description') || s.text('groupId')} を作成しました`,
  'group:deleted': s => `クルー ${s.text('groupId')} を削除しました`,
  'agent:created': s => `${s.run('agentId')} の実行を予定に入れました`,
  'agent:result_reported': s => `${s.run('agentId')} の報告: ${s.word('status')}${because(s.text('summary'))}`,
  'stage.started': s =>
    `クルーのステージ ${Number(s.text('stage')) + 1} を開始しました (${s.list('runIds').length} 件)`,
  'plan.ended': s => `クルーが終了しました: ${s.word('outcome')}`,
  'instance.start_claimed': s => `${s.project()} で ${s.agent()} を起動しています`,
  'instance.signed_in': s => `${s.agent()} が ${s.project()} にサインインしました`,
  'instance.signed_out': s => `${s.agent()} が ${s.project()} からサインアウトしました${because(s.word('reason'))}`,
  'instance.ended': s => `${s.agent()} のプロセスが終了しました${because(s.text('message'))}`,
  'instance.lost': s => `${s.project()} の ${s.agent()} が応答しなくなりました (再起動 ${s.text('restarts')} 回)`,
  'engine.paused': s => `${s.text('engine')} を一時停止しました${because(s.text('reason'))}`,
  'engine.resumed': s => `${s.text('engine')} を再開しました`,

  'tab.created': s => `タブを開きました: ${s.text('branch')} の ${s.text('engine')}`,
  'tab.prepared': s => `タブ ${s.tab()} のワークツリーの準備ができました`,
  'tab.opened': s =>
    s.has('adopted') ? `タブ ${s.tab()} に再接続しました` : `タブ ${s.tab()} のターミナルを起動しました`,
  'tab.status_changed': s => `タブ ${s.tab()} の状態: ${s.word('status')}`,
  'tab.stop_requested': s => `タブ ${s.tab()} に停止を求めました`,
  'tab.ended': s => `タブ ${s.tab()} が終了しました: ${s.word('reason')}${because(s.because('ja'))}`,
  'message.queued': s => `タブ ${s.tab()} へのメッセージが配信待ちです`,
  'message.delivered': s => `タブ ${s.tab()} にメッセージを届けました`,
  'message.undeliverable': s => `タブ ${s.tab()} へのメッセージを届けられません${because(s.word('reason'))}`,
  'worktree.created': s => `ワークツリー ${s.text('branch') || s.text('path')} を作成しました`,
  'worktree.removed': s => `ワークツリー ${s.text('branch') || s.text('path')} を削除しました (${s.word('reason')})`,
  'worktree.restored': s => `ワークツリー ${s.text('branch') || s.text('path')} を復元しました`,
  'worktree.purged': s => `ワークツリー ${s.text('branch') || s.text('path')} を完全に削除しました`,
  'worktree.setup_ended': s => `ワークツリー ${s.text('branch') || s.text('path')} のセットアップ: ${s.word('setup')}`,
  'worktree.setup_trusted': s => `${s.project()} のセットアップコマンドを信頼しました: ${s.list('command').join(' ')}`,

  'topic.added': s => `トピック ${s.topic()} を追加しました`,
  'entry.added': s => `${s.topic()} に記録を追加しました`,
  'decision.added': s =>
    s.has('supersedes')
      ? `${s.decision()} を決定しました (#${s.text('supersedes')} を置き換え)`
      : `${s.decision()} を決定しました`,
  'memory.index_rebuilt': s => `検索インデックスを再構築しました: ${s.text('records')} 件`,

  'phase.started': s => `${s.project()} の ${s.text('phase')} を${s.has('again') ? '再び' : ''}開始しました`,
  'phase.ended': s =>
    `${s.project()} の ${s.text('phase')} が終了しました: ${s.word('outcome')}${s.list('missing').length > 0 ? ` (不足: ${s.list('missing').join('、')})` : ''}`,
  'phase.turned': s =>
    s.text('kind') === 'back'
      ? `${s.project()} を ${s.text('phase')} に戻しました${because(s.text('reason'))}`
      : `${s.project()} の ${s.text('round')} 周目を開始しました${because(s.text('reason'))}`,
  'phase.prompt_adopted': s => `${s.project()} の ${s.text('phase')} を最新のプロンプトで続けます`,
  'phase.checkpoint_saved': s =>
    `${s.project()} の ${s.text('phase')} でチェックポイント ${s.text('checkpoint')} を保存しました`,
  'prompt.edited': s =>
    `${s.text('phase')} のプロンプト (${s.text('language')}) を編集しました: バージョン ${s.text('version')}`,

  'project.added': s => `プロジェクト ${s.project()} を追加しました`,
  'project.edited': s => `プロジェクト ${s.project()} を編集しました`,
  'project.archived': s => `プロジェクト ${s.project()} をアーカイブしました`,
  'project.activated': s => `プロジェクト ${s.project()} を有効にしました`,
  'project.agent_assigned': s => `${s.agent()} を ${s.project()} に割り当てました`,
  'project.agent_unassigned': s => `${s.agent()} を ${s.project()} から外しました`,
  'project.trusted': s => `フォルダー ${s.text('directory')} を信頼しました`,
  'project.start_refused': s =>
    `Runner ${s.text('runner')} が ${s.project()} での起動を拒否しました: ${s.because('ja')}`,
  'agent.added': s => `エージェント ${s.agent()} を追加しました`,
  'agent.edited': s => `エージェント ${s.agent()} を編集しました (${fields(s)})`,
  'agent.enabled': s => `${s.agent()} を有効にしました`,
  'agent.disabled': s => `${s.agent()} を無効にしました`,
  'agent.toolsets_changed': s => `${s.agent()} のツールセットを変更しました: ${s.list('toolsets').join('、')}`,
  'agent.passkey_rotated': s => `${s.agent()} のパスキーを更新しました`,
  'agent.sign_in_failed': s =>
    s.has('agentId') ? `${s.agent()} としてのサインインを拒否しました` : '存在しない ID によるサインインを拒否しました',

  'runner.added': s => `Runner ${s.text('name')} を追加しました`,
  'runner.revoked': s => `Runner ${s.text('name')} を失効させました`,
  'token.added': s => `トークン ${s.text('name')} を作成しました`,
  'token.revoked': s => `トークン ${s.text('name')} を失効させました`,
  'page.signed_in': () => 'ブラウザーがサインインしました',
  'page.signed_out': () => 'ブラウザーがサインアウトしました',
  'config.changed': s => `設定を変更しました: ${s.list('paths').join('、')}`,
  'call.refused': s => `${s.text('tool')} を拒否しました: ${s.text('code')}`,
  'inbox.seen': () => '要対応の項目を確認済みにしました',
  'inbox.snoozed': () => '要対応の項目をスヌーズしました',
}
