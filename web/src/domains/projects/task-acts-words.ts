const en = {
  acts: 'More actions',
  deleteIt: 'Delete',
  undoIt: 'Undo the merge',
  redoIt: 'Bring the merge back',
  restore: 'Restore',
  restored: (handle: string) => `${handle} is restored`,
  deletedAt: (day: string) => `This task is deleted. It is gone for good on ${day}.`,
  no: 'Leave it',
  many: (n: number) => `${n} tasks`,
  delete: {
    title: (what: string) => `Delete ${what}?`,
    text: 'What is open is cancelled, and an agent at work on it is stopped. It is hidden everywhere and holds up no other task; sub-tasks stay. What is merged stays merged. It can be restored for 30 days.',
    yes: 'Delete',
    done: (handle: string) => `Deleted ${handle}`,
  },
  undo: {
    title: (what: string) => `Undo the merge of ${what}?`,
    text: 'A commit that reverts it goes through the merge queue, with the checks of the project; later work stays. The task is back in To do then, and tasks that depend on it wait for it again. When the revert conflicts or a check fails, nothing changes, and *Needs you* says so.',
    yes: 'Undo the merge',
    done: (handle: string) => `The merge of ${handle} is being undone`,
  },
  redo: {
    title: (what: string) => `Bring the merge of ${what} back?`,
    text: 'A commit that brings its work back goes through the merge queue, with the checks of the project. The task is done then.',
    yes: 'Bring it back',
    done: (handle: string) => `The merge of ${handle} is being brought back`,
  },
}

const ja: typeof en = {
  acts: 'その他の操作',
  deleteIt: '削除',
  undoIt: 'マージを取り消す',
  redoIt: 'マージを元に戻す',
  restore: '復元',
  restored: handle => `${handle} を復元しました`,
  deletedAt: day => `このタスクは削除されています。${day} に完全に削除されます。`,
  no: 'やめる',
  many: n => `${n} 件のタスク`,
  delete: {
    title: what => `${what} を削除しますか?`,
    text: '未完了のタスクは中止され、作業中のエージェントも停止します。どこにも表示されなくなり、他のタスクを待たせません。サブタスクは残ります。マージ済みの変更はそのままです。30 日間は復元できます。',
    yes: '削除',
    done: handle => `${handle} を削除しました`,
  },
  undo: {
    title: what => `${what} のマージを取り消しますか?`,
    text: 'マージを打ち消すコミットを、プロジェクトのチェックとともにマージキューに通します。後からの作業は残ります。完了するとタスクは「未着手」に戻り、依存するタスクは再び待ちます。競合やチェック失敗の場合は何も変わらず、「要対応」に表示されます。',
    yes: 'マージを取り消す',
    done: handle => `${handle} のマージを取り消しています`,
  },
  redo: {
    title: what => `${what} のマージを元に戻しますか?`,
    text: '取り消した作業を元に戻すコミットを、プロジェクトのチェックとともにマージキューに通します。タスクは完了になります。',
    yes: '元に戻す',
    done: handle => `${handle} のマージを元に戻しています`,
  },
}

export const taskActsWords = { en, ja }
