// The scene of the demo: who is there, what is planned, what was decided. The same in every demo.
import type { Priority, TaskStatus } from '#contract/projects.ts'
import type { GivenToolset } from '#contract/toolsets.ts'

/** The engine of the demo. It is described in the demo's own config.json and nowhere else, so that no other hub has it. */
export const ENGINE = 'demo'

/** A second account of it, which is used up for a while. */
export const SPARE_ENGINE = 'demo-spare'

export const PROJECT = 'prj_shop'
export const LOGIN_BRANCH = 'feature/login'
export const MAIL_BRANCH = 'feature/receipts'

type SceneAgent = { id: string; name: string; role: string; engine: string; toolsets?: GivenToolset[] }

export const AGENTS = [
  { id: 'agt_aoi', name: 'Aoi', role: 'Backend', engine: ENGINE, toolsets: ['phases'] },
  { id: 'agt_ren', name: 'Ren', role: 'カートと会計', engine: ENGINE },
  { id: 'agt_sora', name: 'Sora', role: 'Accounts', engine: ENGINE },
  { id: 'agt_mika', name: 'Mika', role: '画面とカタログ', engine: SPARE_ENGINE },
] as const satisfies readonly SceneAgent[]

/** Those that the script knows. */
export const TASKS = {
  prices: 'tsk_prices',
  rounding: 'tsk_rounding',
  login: 'tsk_login',
  labels: 'tsk_labels',
  release: 'tsk_release',
} as const

export type SceneTask = {
  id: string
  title: string
  description: string
  status: TaskStatus
  priority: Priority
  agent?: (typeof AGENTS)[number]['id']
  labels?: string[]
  after?: string[]
}

export const PLANNED: readonly SceneTask[] = [
  {
    ...{ id: TASKS.prices, title: 'Prices are integers, in the smallest unit of the currency', status: 'todo' },
    ...{ priority: 'high', agent: 'agt_aoi', labels: ['price'] },
    description: 'Sums of decimal prices are not exact. Store 1280 in the place of 12.8, and test it.',
  },
  {
    ...{ id: TASKS.rounding, title: 'カートの合計金額の端数処理を仕様どおりに直す', status: 'todo' },
    ...{ priority: 'high', agent: 'agt_ren', labels: ['cart', '会計'] },
    description: '円未満の端数は四捨五入する (docs/仕様.md)。仕様の例をテストにする。',
  },
  {
    ...{ id: TASKS.login, title: 'Login page: how is a session kept?', status: 'todo' },
    ...{ priority: 'urgent', agent: 'agt_sora', labels: ['login'] },
    description: 'Sora works on it in a terminal, on the branch feature/login.',
  },
  {
    ...{ id: TASKS.labels, title: '価格を ¥1,280 の形で表示する', status: 'in_progress' },
    ...{ priority: 'medium', agent: 'agt_mika', labels: ['catalogue'], after: [TASKS.prices] },
    description: '価格が整数になってから着手する。桁区切りと円記号を付ける。',
  },
  {
    ...{ id: 'tsk_split', title: 'Split cart.js into model and view', status: 'todo' },
    ...{ priority: 'medium', labels: ['cart'], after: [TASKS.rounding] },
    description: 'After the rounding is settled: two files, one for the sums and one for what is drawn.',
  },
  {
    ...{ id: TASKS.release, title: 'リリース手順を文書にする', status: 'todo', priority: 'low', agent: 'agt_mika' },
    description: 'docs/リリース手順.md に、確認項目と戻し方を書く。',
  },
  {
    ...{ id: 'tsk_pages', title: '商品一覧のページ送り', status: 'backlog', priority: 'medium' },
    description: '1 ページに 20 件。',
  },
  {
    ...{ id: 'tsk_search', title: 'Search that finds Japanese words', status: 'backlog', priority: 'medium' },
    description: 'Tea and 茶 should both find the tea.',
  },
  {
    ...{ id: 'tsk_dark', title: 'Dark theme for the shop', status: 'backlog', priority: 'low' },
    description: 'Follow the setting of the system.',
  },
  {
    ...{ id: 'tsk_csv', title: '注文を CSV から取り込む', status: 'backlog', priority: 'high' },
    description: '文字コードは UTF-8 と Shift_JIS。',
  },
  {
    ...{ id: 'tsk_mail', title: 'Send a receipt by mail', status: 'backlog', priority: 'medium' },
    description: 'With the total, the items and the address.',
  },
  {
    ...{ id: 'tsk_footer', title: 'Fix a typo in the footer', status: 'done', priority: 'low', agent: 'agt_ren' },
    description: 'It says Copyrigth.',
  },
  {
    ...{ id: 'tsk_limit', title: '999 個を超える注文を断る', status: 'done', priority: 'medium', agent: 'agt_aoi' },
    description: '数量の上限は 999。',
  },
  {
    ...{ id: 'tsk_retry', title: 'Keep the cart when a payment fails', status: 'done', priority: 'high' },
    ...{ agent: 'agt_sora', description: 'The customer can pay again without filling the cart again.' },
  },
]

type Decision = { decision: string; reason: string; tasks?: string[] }

/** Aoi replaces the fourth. */
export const TOPICS: readonly { title: string; decisions: readonly Decision[] }[] = [
  {
    title: 'Architecture',
    decisions: [
      {
        decision: 'Plain JavaScript modules, no build step',
        reason: 'The shop is small; a build would be most of it.',
      },
      { decision: 'テストは node --test で行う', reason: '依存パッケージを増やさないため。' },
      { decision: 'Carts live in memory', reason: 'A customer who leaves starts again; no complaints so far.' },
    ],
  },
  {
    title: '金額 / Money',
    decisions: [
      { decision: 'Prices are decimal numbers', reason: 'That is how the supplier sends them.', tasks: [TASKS.prices] },
      { decision: '円未満の端数は四捨五入する', reason: '経理の指定 (docs/仕様.md)。', tasks: [TASKS.rounding] },
      { decision: 'Tax is included in every price', reason: 'The law asks for the full price on the page.' },
    ],
  },
  {
    title: 'Releases',
    decisions: [
      { decision: 'リリースは火曜日の午前に行う', reason: '問題が起きても、その日のうちに戻せる。' },
      { decision: 'Every change has a test', reason: 'Two bugs came back in spring.' },
      { decision: 'One change per merge', reason: 'So that each can be taken back alone.' },
    ],
  },
]
