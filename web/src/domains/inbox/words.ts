const en = {
  answered: 'Answered today',
  noAnswers: 'Nothing yet.',
  kind: {
    not_startable: (who: string) => `${who} cannot be started`,
    handoff: (who: string) => `${who} handed a task on without naming a recipient`,
    message_failed: (tab: string) => `A message did not reach ${tab}`,
    overlap: (one: string, other: string) => `${one} and ${other} change the same lines`,
    decision_replaced: (who: string) => `${who} follows a replaced decision`,
    crew_ended: 'A crew has ended well',
    phase_ended: (phase: string) => `${phase} has ended`,
  },
  notices: 'Notify me when something needs me',
  noticesHint: 'By the browser, only while this page is hidden. Off by default.',
  noticesRefused:
    'This browser does not allow notices from this page. Allow them in its site settings, then try again.',
  show: 'Show',
  all: 'All',
  counted: (what: string, n: number) => `${what} ${n.toLocaleString('en')}`,
  groups: { questions: 'Questions', failures: 'Failures', results: 'Results', others: 'Other' },
  order: 'Order',
  newest: 'Newest first',
  noneOf: 'Nothing of this kind waits for you.',
  showAll: 'Show all',
}

const ja: typeof en = {
  answered: '今日対応したもの',
  noAnswers: 'まだありません。',
  kind: {
    not_startable: who => `${who} を起動できません`,
    handoff: who => `${who} の引き継ぎに引き受け手がいません`,
    message_failed: tab => `${tab} にメッセージが届きませんでした`,
    overlap: (one, other) => `${one} と ${other} が同じ行を変更しています`,
    decision_replaced: who => `${who} が古い決定に従っています`,
    crew_ended: 'クルーが正常に終了しました',
    phase_ended: phase => `${phase} が終了しました`,
  },
  notices: '対応が必要なときに通知する',
  noticesHint: 'このページが隠れている間だけ、ブラウザーが通知します。初期設定はオフです。',
  noticesRefused:
    'このページからの通知がブラウザーで許可されていません。サイトの設定で許可してから、もう一度お試しください。',
  show: '表示',
  all: 'すべて',
  counted: (what, n) => `${what} ${n.toLocaleString('ja')}`,
  groups: { questions: '質問', failures: '失敗', results: '結果', others: 'その他' },
  order: '並び順',
  newest: '新しい順',
  noneOf: 'この種類の項目はありません。',
  showAll: 'すべて表示',
}

export const inboxWords = { en, ja }
