const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

const en = {
  list: 'Worktrees that differ from their base',
  against: (base: string) => `against ${base}`,
  detached: 'no branch',
  files: (n: number) => count(n, 'file', 'files'),
  reading: 'Reading…',
  unread: 'Could not be read',
  again: 'Look again',
  same: (n: number) => `${count(n, 'worktree', 'worktrees')} without changes`,
  emptyTitle: 'No worktree differs from its base.',
  emptyHint: 'What agents change in their workspaces and tabs appears here, before it is reported.',
  emptyCli: 'toryo tab worktrees',
  overlaps: (n: number) => count(n, 'overlap', 'overlaps'),
  overlapsTitle: 'Overlaps',
  kind: { lines: 'change the same lines', conflict: 'would not merge' },
  also: (who: string) => `also changed by ${who}`,
  back: 'All worktrees',
  none: 'Nothing differs from the base.',
  cut: 'The diff is longer than 1 MB: the files at its end are loaded one by one.',
  pick: 'Worktree',
}

export type ChangesWords = typeof en

const ja: ChangesWords = {
  list: 'ベースとの差分があるワークツリー',
  against: base => `ベース: ${base}`,
  detached: 'ブランチなし',
  files: n => `${n.toLocaleString('ja')} ファイル`,
  reading: '読み取り中…',
  unread: '読み取れませんでした',
  again: '再読み込み',
  same: n => `変更のないワークツリー ${n.toLocaleString('ja')} 件`,
  emptyTitle: 'ベースとの差分があるワークツリーはありません。',
  emptyHint: 'エージェントがワークスペースやタブで行った変更が、報告の前からここに表示されます。',
  emptyCli: 'toryo tab worktrees',
  overlaps: n => `重なり ${n.toLocaleString('ja')} 件`,
  overlapsTitle: '変更の重なり',
  kind: { lines: '同じ行を変更中', conflict: 'マージすると競合' },
  also: who => `${who} も変更中`,
  back: 'すべてのワークツリー',
  none: 'ベースとの差分はありません。',
  cut: 'diff が 1 MB を超えるため、末尾のファイルは個別に読み込みます。',
  pick: 'ワークツリー',
}

export const changesWords = { en, ja }
