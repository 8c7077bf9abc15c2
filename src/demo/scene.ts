// The scene of the demo: who is there, what is planned, what was decided. The same in every demo of a language.
import type { Lang, Text } from '#contract/errors.ts'
import type { Priority, TaskStatus } from '#contract/projects.ts'
import type { GivenToolset } from '#contract/toolsets.ts'

/** The engine of the demo. It is described in the demo's own config.json and nowhere else, so that no other hub has it. */
export const ENGINE = 'demo'

/** A second account of it, which is used up for a while. */
export const SPARE_ENGINE = 'demo-spare'

export const PROJECT = 'prj_shop'
export const LOGIN_BRANCH = 'feature/login'
export const MAIL_BRANCH = 'feature/receipts'

/** The key with which the demo answers a question in the place of a person: Ctrl-D. */
export const NO_ANSWER = '\u0004'

type SceneAgent = { id: string; name: string; role: Text; engine: string; toolsets?: GivenToolset[] }

export const AGENTS = [
  { id: 'agt_aoi', name: 'Aoi', role: { en: 'Backend', ja: 'バックエンド' }, engine: ENGINE, toolsets: ['phases'] },
  { id: 'agt_ren', name: 'Ren', role: { en: 'Cart and sums', ja: 'カートと会計' }, engine: ENGINE },
  { id: 'agt_sora', name: 'Sora', role: { en: 'Accounts', ja: 'アカウント' }, engine: ENGINE },
  { id: 'agt_mika', name: 'Mika', role: { en: 'Pages and catalogue', ja: '画面とカタログ' }, engine: SPARE_ENGINE },
] as const satisfies readonly SceneAgent[]

/** Those that the script knows. */
export const TASKS = {
  prices: 'tsk_prices',
  rounding: 'tsk_rounding',
  login: 'tsk_login',
  labels: 'tsk_labels',
  release: 'tsk_release',
} as const

/** Files of the shop that have a name in each language. */
export const SPEC: Text = { en: 'docs/spec.md', ja: 'docs/仕様.md' }
export const RELEASE: Text = { en: 'docs/release.md', ja: 'docs/リリース手順.md' }
export const ITEMS: Text = { en: 'data/items.json', ja: 'data/商品.json' }

export type SceneTask = {
  id: string
  title: Text
  description: Text
  status: TaskStatus
  priority: Priority
  agent?: (typeof AGENTS)[number]['id']
  labels?: readonly Text[]
  after?: string[]
}

const LABELS = {
  price: { en: 'price', ja: '価格' },
  cart: { en: 'cart', ja: 'カート' },
  sums: { en: 'sums', ja: '会計' },
  login: { en: 'login', ja: 'ログイン' },
  catalogue: { en: 'catalogue', ja: 'カタログ' },
} satisfies Record<string, Text>

/** Somebody wrote this one in the other language, as happens in teams. */
const OTHER = 'tsk_csv'

export function langOfTask({ id }: SceneTask, lang: Lang): Lang {
  if (id !== OTHER) return lang
  return lang === 'en' ? 'ja' : 'en'
}

export const PLANNED: readonly SceneTask[] = [
  {
    ...{ id: TASKS.prices, status: 'todo', priority: 'high', agent: 'agt_aoi', labels: [LABELS.price] },
    title: {
      en: 'Prices are integers, in the smallest unit of the currency',
      ja: '価格を通貨の最小単位の整数で持つ',
    },
    description: {
      en: 'Sums of decimal prices are not exact. Store 1280 in the place of 12.8, and test it.',
      ja: '小数の価格を足すと誤差が出る。12.8 ではなく 1280 を保存し、テストを書く。',
    },
  },
  {
    ...{ id: TASKS.rounding, status: 'todo', priority: 'high', agent: 'agt_ren', labels: [LABELS.cart, LABELS.sums] },
    title: {
      en: 'Round the total of the cart as the specification says',
      ja: 'カートの合計金額の端数処理を仕様どおりに直す',
    },
    description: {
      en: `Fractions of a yen are rounded half up (${SPEC.en}). Make its examples a test.`,
      ja: `円未満の端数は四捨五入する (${SPEC.ja})。仕様の例をテストにする。`,
    },
  },
  {
    ...{ id: TASKS.login, status: 'todo', priority: 'urgent', agent: 'agt_sora', labels: [LABELS.login] },
    title: { en: 'Login page: how is a session kept?', ja: 'ログインページ: セッションの保持方法を決める' },
    description: {
      en: `Sora works on it in a terminal, on the branch ${LOGIN_BRANCH}.`,
      ja: `Sora がターミナルで、ブランチ ${LOGIN_BRANCH} を使って作業する。`,
    },
  },
  {
    ...{ id: TASKS.labels, status: 'in_progress', priority: 'medium', agent: 'agt_mika' },
    ...{ labels: [LABELS.catalogue], after: [TASKS.prices] },
    title: { en: 'Show prices as ¥1,280', ja: '価格を ¥1,280 の形で表示する' },
    description: {
      en: 'Begins once prices are integers. With the yen sign and separators.',
      ja: '価格が整数になってから着手する。桁区切りと円記号を付ける。',
    },
  },
  {
    ...{ id: 'tsk_split', status: 'todo', priority: 'medium', labels: [LABELS.cart], after: [TASKS.rounding] },
    title: { en: 'Split cart.js into model and view', ja: 'cart.js をモデルと表示に分割する' },
    description: {
      en: 'After the rounding is settled: two files, one for the sums and one for what is drawn.',
      ja: '端数処理が決まったら、計算と表示の 2 ファイルに分ける。',
    },
  },
  {
    ...{ id: TASKS.release, status: 'todo', priority: 'low', agent: 'agt_mika' },
    title: { en: 'Write down how a release is made', ja: 'リリース手順を文書にする' },
    description: {
      en: `${RELEASE.en}: what to check, and how to go back.`,
      ja: `${RELEASE.ja} に、確認項目と戻し方を書く。`,
    },
  },
  {
    ...{ id: 'tsk_pages', status: 'backlog', priority: 'medium' },
    title: { en: 'Pages for the list of items', ja: '商品一覧のページ送り' },
    description: { en: '20 items on a page.', ja: '1 ページに 20 件。' },
  },
  {
    ...{ id: 'tsk_search', status: 'backlog', priority: 'medium' },
    title: { en: 'Search that forgives typing errors', ja: '表記ゆれに強い検索' },
    description: {
      en: 'Both “kettle” and “ketle” find the kettle.',
      ja: '「やかん」でも「ヤカン」でも見つかるようにする。',
    },
  },
  {
    ...{ id: 'tsk_dark', status: 'backlog', priority: 'low' },
    title: { en: 'Dark theme for the shop', ja: 'ダークテーマに対応する' },
    description: { en: 'Follow the setting of the system.', ja: 'OS の設定に合わせて切り替える。' },
  },
  {
    ...{ id: OTHER, status: 'backlog', priority: 'high' },
    title: { en: 'Import orders from CSV', ja: '注文を CSV から取り込む' },
    description: { en: 'In UTF-8 and Shift_JIS.', ja: '文字コードは UTF-8 と Shift_JIS。' },
  },
  {
    ...{ id: 'tsk_mail', status: 'backlog', priority: 'medium' },
    title: { en: 'Send a receipt by mail', ja: '領収書をメールで送る' },
    description: { en: 'With the total, the items and the address.', ja: '合計金額、明細、届け先を載せる。' },
  },
  {
    ...{ id: 'tsk_footer', status: 'done', priority: 'low', agent: 'agt_ren' },
    title: { en: 'Fix a typo in the footer', ja: 'フッターの誤字を直す' },
    description: { en: 'It says Copyrigth.', ja: 'Copyrigth になっている。' },
  },
  {
    ...{ id: 'tsk_limit', status: 'done', priority: 'medium', agent: 'agt_aoi' },
    title: { en: 'Refuse orders of more than 999 pieces', ja: '999 個を超える注文を断る' },
    description: { en: 'At most 999 of an item.', ja: '数量の上限は 999。' },
  },
  {
    ...{ id: 'tsk_retry', status: 'done', priority: 'high', agent: 'agt_sora' },
    title: { en: 'Keep the cart when a payment fails', ja: '決済に失敗してもカートを残す' },
    description: {
      en: 'The customer can pay again without filling the cart again.',
      ja: '商品を入れ直さずに、もう一度支払えるようにする。',
    },
  },
]

type Decision = { decision: Text; reason: Text; tasks?: string[] }

/** Aoi replaces it. */
export const DECIMALS: Text = { en: 'Prices are decimal numbers', ja: '価格は小数で持つ' }

export const TOPICS: readonly { title: Text; decisions: readonly Decision[] }[] = [
  {
    title: { en: 'Architecture', ja: 'アーキテクチャ' },
    decisions: [
      {
        decision: {
          en: 'Plain JavaScript modules, no build step',
          ja: '素の JavaScript モジュールを使い、ビルドしない',
        },
        reason: {
          en: 'The shop is small; a build would be most of it.',
          ja: '店のコードは小さく、ビルドの設定のほうが大きくなるため。',
        },
      },
      {
        decision: { en: 'Tests run with node --test', ja: 'テストは node --test で行う' },
        reason: { en: 'No further packages to depend on.', ja: '依存パッケージを増やさないため。' },
      },
      {
        decision: { en: 'Carts live in memory', ja: 'カートはメモリ上に置く' },
        reason: {
          en: 'A customer who leaves starts again; no complaints so far.',
          ja: '離れた客は最初からやり直しになるが、今のところ苦情はない。',
        },
      },
    ],
  },
  {
    title: { en: 'Money', ja: '金額' },
    decisions: [
      {
        decision: DECIMALS,
        reason: { en: 'That is how the supplier sends them.', ja: '仕入れ先から小数で届くため。' },
        tasks: [TASKS.prices],
      },
      {
        decision: { en: 'Fractions of a yen are rounded half up', ja: '円未満の端数は四捨五入する' },
        reason: { en: `The accountants ask for it (${SPEC.en}).`, ja: `経理の指定 (${SPEC.ja})。` },
        tasks: [TASKS.rounding],
      },
      {
        decision: { en: 'Tax is included in every price', ja: '価格はすべて税込みとする' },
        reason: { en: 'The law asks for the full price on the page.', ja: '総額表示が法律で義務付けられているため。' },
      },
    ],
  },
  {
    title: { en: 'Releases', ja: 'リリース' },
    decisions: [
      {
        decision: { en: 'Releases are made on Tuesday mornings', ja: 'リリースは火曜日の午前に行う' },
        reason: {
          en: 'If something breaks, it can be taken back on the same day.',
          ja: '問題が起きても、その日のうちに戻せる。',
        },
      },
      {
        decision: { en: 'Every change has a test', ja: '変更には必ずテストを付ける' },
        reason: { en: 'Two bugs came back in spring.', ja: '春に 2 件の不具合が再発したため。' },
      },
      {
        decision: { en: 'One change per merge', ja: 'マージは 1 件ずつ行う' },
        reason: { en: 'So that each can be taken back alone.', ja: '1 件ずつ取り消せるようにするため。' },
      },
    ],
  },
]
