// One word per thing, in every text that people and models read. The guide for writers is in AGENTS.md § Voice.
import path from 'node:path'
import { expect, test } from 'vitest'
import { textsIn } from './voice.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const texts = textsIn(ROOT)

const ENGLISH: readonly [RegExp, string][] = [
  [/the (?:ones|engines) there are|shows the (?:latest|live ones|open ones)\b/i, 'X not found. Use Z to list them.'],
  [/there is no (?!topic|commit)\S+ .*;/i, 'X not found. Use Z to list them.'],
  [/\b(?:somebody|nobody|whoever|anybody)\b/i, 'name the noun: the caller, a person, no client'],
  [/\b(?:mends?|mended|anew)\b/i, 'fix; again'],
  [/\bby (?:itself|themselves)\b/i, 'automatically, by default'],
  [/\b(?<!config file )of ours\b/i, 'our'],
  [/\bby hand\b/i, 'manually'],
  [/\bis no (?!longer|more)/i, 'is not a valid X'],
  [/\b(?:is|are) (?:always )?told\b/i, 'gets, is recorded, is reported'],
  [/\b(?:to|not|may|and) tell (?:its|their|more|how|the)\b/i, 'report, say'],
]

const JAPANESE: readonly [RegExp, string][] = [
  [/端末/, 'ターミナル'],
  [/記憶|メモリー/, 'メモリ'],
  [/背景で動|背景ハブ|背景のハブ/, 'バックグラウンド'],
  [/控え(?:る|を|に|が|は|$)/, 'バックアップ'],
  [/この機械|別の機械|機械で|その機械/, 'マシン'],
  [/実体/, 'インスタンス'],
  [/を追加 を追加/, 'タスク「…」を追加しました'],
  [/増え続ける番号/, '単調増加する番号'],
  [/黙り込ん|死んだもの|眠ってい/, '応答しなくなった、停止したとみなす、スリープしていた'],
  [/正直な限界|まだないもの/, '制限事項、未実装の機能'],
  [/稼働中の担当/, '作業中のエージェント'],
  [/操作者/, 'オペレーター'],
  [/手で(?:試|行|実行|登録|直)/, '手動で'],
  [/本人だけが/, '自分だけが'],
  [/探す言葉/, '検索語'],
  [/しまう|休止/, 'アーカイブする (プロジェクト)、一時停止する (エンジン)'],
  [/鍵の更新/, 'パスキーの再発行'],
  [/フォルダ(?!ー)/, 'フォルダー'],
  [/ごみ箱|ゴミばこ/, 'ゴミ箱'],
  [/ランナー/, 'Runner'],
  [/役割/, 'ロール'],
  [/ヴァージョン/, 'バージョン'],
  [/\d(?:秒|分|時間|日)前/, '7 秒前'],
]

test('English texts use the plain word', () => {
  // Words of the page are in web/src; it is the server, the commands and the documents here.
  const english = texts.filter(({ lang, where }) => lang === 'en' && !where.startsWith('web/'))
  expect(english.length).toBeGreaterThan(2000)
  expect(found(english, ENGLISH)).toEqual([])
})

test('Japanese texts have one term per thing', () => {
  const japanese = texts.filter(({ lang }) => lang === 'ja')
  expect(japanese.length).toBeGreaterThan(2000)
  expect(found(japanese, JAPANESE)).toEqual([])
})

/** What models read names the values that they send. */
const FOR_MODELS =
  /^src\/(?:demo\/engine|runner\/kick-prompt|transports\/mcp\/instructions|domains\/phases)|prompts?\.ts/
const STATE =
  /(?<![\w.-])(?:backlog|todo|in_progress|blocked|done|cancelled|planned|working|checking|queued|merged)(?![\w-])/
const KANA = '[\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Han}]'
const JOINT = new RegExp(`${KANA}[」)]?[.;](?:\\s|$)|[^.\\w/~]\\. ?${KANA}|; ?${KANA}`, 'u')

test('Japanese sentences name states in Japanese and are joined as Japanese is', () => {
  const literals = texts.flatMap(({ where, lang, text }) => {
    if (lang !== 'ja' || !/^(?:src|web)\//.test(where) || FOR_MODELS.test(where)) return []
    const quoted = [...text.matchAll(/'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`/g)].map(
      ([, one, other]) => one ?? other ?? '',
    )
    return quoted.map(one => ({ where, said: one.replace(/\\?`[^`]*`|\$\{[^}]*\}|--[\w-]+ \w+/g, ' ') }))
  })
  const japanese = literals.filter(({ said }) => new RegExp(KANA, 'u').test(said))
  expect(japanese.length).toBeGreaterThan(2000)
  expect(japanese.filter(({ said }) => STATE.test(said) || JOINT.test(said))).toEqual([])
})

function found(said: typeof texts, rules: readonly [RegExp, string][]): string[] {
  return said.flatMap(({ where, text }) =>
    rules.flatMap(([pattern, instead]) =>
      pattern.test(text) ? [`${where}: ${pattern} → ${instead}: ${text.trim()}`] : [],
    ),
  )
}
