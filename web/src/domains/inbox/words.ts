const en = {
  snooze: 'Snooze',
  hour: 'For an hour',
  tomorrow: 'Until tomorrow, 9:00',
  change: 'Until it changes',
  snoozed: 'Snoozed',
}

const ja: typeof en = {
  snooze: 'スヌーズ',
  hour: '1 時間',
  tomorrow: '明日 9:00 まで',
  change: '変化があるまで',
  snoozed: 'スヌーズしました',
}

export const inboxWords = { en, ja }
