// The repository of the demo: a small shop in twelve files, in the language of the demo. Made with git itself, in a folder of the demo.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Lang } from '#contract/errors.ts'
import { ITEMS, RELEASE, SPEC } from './scene.ts'

/** Always the same commit. */
const WHEN = '2026-04-06T09:00:00+09:00'

export function makeShop(folder: string, lang: Lang): void {
  const files = { ...CODE, ...(lang === 'ja' ? JAPANESE : ENGLISH) }
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), text)
  }
  git(folder, 'init', '--quiet', '--initial-branch=main')
  // Of this repository alone: what agents and merges commit here has an author without the user's own settings.
  git(folder, 'config', 'user.name', 'Demo')
  git(folder, 'config', 'user.email', 'demo@localhost')
  git(folder, 'config', 'commit.gpgsign', 'false')
  git(folder, 'config', 'core.autocrlf', 'false')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', lang === 'ja' ? '小さな店' : 'A small shop')
}

function git(folder: string, ...args: string[]): void {
  const env = { ...process.env, GIT_AUTHOR_DATE: WHEN, GIT_COMMITTER_DATE: WHEN, GIT_CONFIG_NOSYSTEM: '1' }
  execFileSync('git', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
}

const CODE: Record<string, string> = {
  'package.json': json({ name: 'shop', private: true, type: 'module', scripts: { test: 'node --test' } }),
  '.gitignore': 'node_modules/\n',
}

const ENGLISH: Record<string, string> = {
  'README.md': `# Shop\n\nTea, cups and kettles. \`npm test\` runs the tests. The specification is in ${SPEC.en}.\n`,
  [SPEC.en]:
    '# Specification\n\n- Prices include tax\n- Fractions of a yen are rounded half up (99.4 yen is 99 yen, 99.5 yen is 100 yen)\n- At most 999 pieces in an order\n',
  [RELEASE.en]: '# How a release is made\n\n(to be written)\n',
  [ITEMS.en]: json({ tea: 'Tea', cup: 'Cup', kettle: 'Kettle' }),
  ...sources({
    price: 'What things cost, in yen, as decimal numbers.',
    cart: 'The cart: what a customer is about to buy.',
    guest: 'What was put in before the customer signed in.',
    catalogue: 'What the shop sells, by its names.',
    items: ITEMS.en,
    login: 'Who a customer is.',
    twice: 'the same item twice is one line',
    most: 'an order of more than 999 pieces is refused',
    empty: 'an empty cart costs nothing',
    unknown: 'an unknown item has no price',
  }),
}

const JAPANESE: Record<string, string> = {
  'README.md': `# Shop\n\nお茶、湯のみ、やかんの店です。\`npm test\` でテストを実行します。仕様は ${SPEC.ja} にあります。\n`,
  [SPEC.ja]:
    '# 仕様\n\n- 価格は税込み\n- 円未満の端数は四捨五入する (例: 99.4 円 → 99 円、99.5 円 → 100 円)\n- 1 回の注文は 999 個まで\n',
  [RELEASE.ja]: '# リリース手順\n\n(作成中)\n',
  [ITEMS.ja]: json({ tea: 'お茶', cup: '湯のみ', kettle: 'やかん' }),
  ...sources({
    price: '商品の価格 (円、小数)。',
    cart: 'カート: 客が買おうとしている商品。',
    guest: 'ログイン前に入れた商品。',
    catalogue: '扱っている商品の名前。',
    items: ITEMS.ja,
    login: '客の識別。',
    twice: '同じ商品は 1 行にまとめる',
    most: '999 個を超える注文は断る',
    empty: '空のカートの合計は 0 円',
    unknown: '未知の商品に価格はない',
  }),
}

type Said = Record<
  'price' | 'cart' | 'guest' | 'catalogue' | 'items' | 'login' | 'twice' | 'most' | 'empty' | 'unknown',
  string
>

function sources(said: Said): Record<string, string> {
  return {
    'src/price.js': lines(
      `// ${said.price}`,
      'const PRICES = { tea: 12.8, cup: 24.5, kettle: 98.0 }',
      '',
      'export function priceOf(id) {',
      '  const price = PRICES[id]',
      '  if (price === undefined) throw new Error(`No such item: ${id}`)',
      '  return price',
      '}',
      '',
    ),
    'src/cart.js': lines(
      `// ${said.cart}`,
      "import { priceOf } from './price.js'",
      '',
      'const MOST = 999',
      '',
      'export class Cart {',
      '  #lines = new Map()',
      `  /** ${said.guest} */`,
      '  guestLines = []',
      '',
      '  add(id, pieces = 1) {',
      '    const now = (this.#lines.get(id) ?? 0) + pieces',
      '    if (now > MOST) throw new Error(`At most ${MOST} pieces`)',
      '    this.#lines.set(id, now)',
      '  }',
      '',
      '  get lines() {',
      '    return [...this.#lines].map(([id, pieces]) => ({ id, pieces }))',
      '  }',
      '',
      '  total() {',
      '    let sum = 0',
      '    for (const { id, pieces } of this.lines) sum += priceOf(id) * pieces',
      '    return sum',
      '  }',
      '}',
      '',
    ),
    'src/catalogue.js': lines(
      `// ${said.catalogue}`,
      "import { readFileSync } from 'node:fs'",
      '',
      'export function names() {',
      `  return JSON.parse(readFileSync(new URL('../${said.items}', import.meta.url), 'utf8'))`,
      '}',
      '',
    ),
    'src/login.js': lines(
      `// ${said.login}`,
      'export function isSignedIn(customer) {',
      '  return customer?.id !== undefined',
      '}',
      '',
    ),
    'test/cart.test.js': lines(
      "import assert from 'node:assert/strict'",
      "import { test } from 'node:test'",
      "import { Cart } from '../src/cart.js'",
      '',
      `test('${said.twice}', () => {`,
      '  const cart = new Cart()',
      "  cart.add('tea')",
      "  cart.add('tea', 2)",
      "  assert.deepEqual(cart.lines, [{ id: 'tea', pieces: 3 }])",
      '})',
      '',
      `test('${said.most}', () => {`,
      "  assert.throws(() => new Cart().add('cup', 1000), /At most 999/)",
      '})',
      '',
      `test('${said.empty}', () => {`,
      '  assert.equal(new Cart().total(), 0)',
      '})',
      '',
    ),
    'test/price.test.js': lines(
      "import assert from 'node:assert/strict'",
      "import { test } from 'node:test'",
      "import { priceOf } from '../src/price.js'",
      '',
      `test('${said.unknown}', () => {`,
      "  assert.throws(() => priceOf('moon'), /No such item: moon/)",
      '})',
      '',
    ),
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** One by one: in a template of this file they would read as imports of it. */
function lines(...all: string[]): string {
  return all.join('\n')
}
