const en = {
  snooze: 'Snooze',
  hour: 'For an hour',
  tomorrow: 'Until tomorrow, 9:00',
  change: 'Until it changes',
  snoozed: 'Snoozed',
  answered: 'Answered today',
  noAnswers: 'Nothing yet.',
  again: 'Run again',
  log: 'Log',
  notices: 'Notify me when something needs me',
  noticesHint: 'By the browser, only while this page is hidden. Off by default.',
  noticesRefused:
    'This browser does not allow notices from this page. Allow them in its site settings, then try again.',
}

const ja: typeof en = {
  snooze: 'スヌーズ',
  hour: '1 時間',
  tomorrow: '明日 9:00 まで',
  change: '変化があるまで',
  snoozed: 'スヌーズしました',
  answered: '今日対応したもの',
  noAnswers: 'まだありません。',
  again: 'もう一度実行',
  log: 'ログ',
  notices: '対応が必要なときに通知する',
  noticesHint: 'このページが隠れている間だけ、ブラウザーが通知します。初期設定はオフです。',
  noticesRefused:
    'このページからの通知がブラウザーで許可されていません。サイトの設定で許可してから、もう一度お試しください。',
}

export const inboxWords = { en, ja }
