const en = {
  demo: 'Demo:',
  ribbon: 'scripted agents, no model',
  ribbonMore: ', nothing leaves this machine',
  end: 'End and delete',
  ending: 'Ending…',
  ended: 'The demo has ended and is deleted. You can close this page.',
  see: 'See it work: start the demo',
  starting: 'Starting the demo…',
  open: 'Open the demo',
  what: 'Scripted agents work on a small shop for a minute, in a scratch folder. No model is used, and nothing of yours is touched.',
}

const ja: typeof en = {
  demo: 'デモ:',
  ribbon: 'スクリプトで動くエージェント。モデルは使いません',
  ribbonMore: '。データはこのマシンの外に出ません',
  end: '終了して削除',
  ending: '終了しています…',
  ended: 'デモを終了し、すべて削除しました。このページは閉じてかまいません。',
  see: 'デモで動きを見る',
  starting: 'デモを開始しています…',
  open: 'デモを開く',
  what: 'スクリプトで動くエージェントが、一時フォルダーの小さな店のコードで 1 分ほど作業します。モデルは使わず、あなたのファイルには触れません。',
}

export const words = { en, ja }
