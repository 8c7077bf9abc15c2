// Texts for benchmarks: English and Japanese words, common ones common, about 150 characters a record. Same seed, same texts.

const KANJI =
  '認証基盤設計議論決定方針実装検索索引記録保存削除更新接続同期非同期待機再試行遅延負荷性能測定試験品質管理運用監視通知権限役割利用者作業分担進捗報告期限優先順位変更履歴文書仕様要件環境構築配布更新確認承認'
const KATAKANA = [
  'トークン',
  'サーバー',
  'クライアント',
  'データベース',
  'スキーマ',
  'キャッシュ',
  'エラー',
  'ログ',
  'テスト',
  'デプロイ',
  'ブランチ',
  'レビュー',
  'セッション',
  'プロセス',
  'スレッド',
]
const PARTICLES = ['を', 'は', 'が', 'に', 'で', 'と', 'の', 'から', 'まで', 'する', 'した', 'ので', 'ため、', '。']
const ONSETS = [
  'b',
  'c',
  'd',
  'f',
  'g',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'w',
  'st',
  'tr',
  'pl',
  'ch',
  'sh',
]
const RHYMES = [
  'a',
  'e',
  'i',
  'o',
  'u',
  'an',
  'en',
  'in',
  'on',
  'ar',
  'er',
  'or',
  'al',
  'el',
  'ast',
  'ent',
  'ing',
  'ock',
  'ump',
  'ade',
]

export type Texts = { record(): string; word(language: 'en' | 'ja'): string; next(): number }

export function texts(seed: number): Texts {
  const next = random(seed)
  const english = vocabulary(random(1), 20_000)
  const japanese = kanjiWords(random(2), 8_000)
  /** The n-th word is about n times rarer than the first. */
  const zipf = (size: number) => Math.min(size - 1, Math.floor(size ** next()) - 1)
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T
  const word = (language: 'en' | 'ja') => {
    if (language === 'en') return english[Math.max(0, zipf(english.length))] as string
    return next() < 0.25 ? pick(KATAKANA) : (japanese[Math.max(0, zipf(japanese.length))] as string)
  }
  const record = () => {
    if (next() < 0.5) return Array.from({ length: 24 }, () => word('en')).join(' ')
    return Array.from({ length: 30 }, () => word('ja') + pick(PARTICLES)).join('')
  }
  return { record, word, next }
}

function vocabulary(next: () => number, size: number): string[] {
  const words = new Set<string>()
  const syllable = () =>
    (ONSETS[Math.floor(next() * ONSETS.length)] as string) + (RHYMES[Math.floor(next() * RHYMES.length)] as string)
  while (words.size < size) words.add(Array.from({ length: 1 + Math.floor(next() * 3) }, syllable).join(''))
  return [...words]
}

function kanjiWords(next: () => number, size: number): string[] {
  const kanji = [...new Set(KANJI)]
  const one = () => kanji[Math.floor(next() * kanji.length)] as string
  const words = new Set<string>()
  while (words.size < size) words.add(one() + one() + (next() < 0.3 ? one() : ''))
  return [...words]
}

/** mulberry32 */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
