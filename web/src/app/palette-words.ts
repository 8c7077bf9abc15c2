import type { SearchKind } from '#contract/search.ts'

const en = {
  placeholder: 'Search, or type a command…',
  commands: 'Commands',
  recent: 'Newest tasks',
  searching: 'Searching…',
  nothing: (text: string) => `Nothing found for “${text}”.`,
  kinds: {
    ...{ task: 'Tasks', decision: 'Decisions', topic: 'Topics', run: 'Runs', tab: 'Terminals', agent: 'Agents' },
    project: 'Projects',
  } satisfies Record<SearchKind, string>,
}

const ja: typeof en = {
  placeholder: '検索、またはコマンドを入力…',
  commands: 'コマンド',
  recent: '最近のタスク',
  searching: '検索中…',
  nothing: text => `「${text}」に一致するものはありません。`,
  kinds: {
    ...{ task: 'タスク', decision: '決定', topic: 'トピック', run: '実行', tab: 'ターミナル', agent: 'エージェント' },
    project: 'プロジェクト',
  },
}

export const words = { en, ja }
