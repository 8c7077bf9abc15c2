// The repository of the demo: a small shop in twelve files, with names in both languages. Made with git itself, in a folder of the demo.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** Always the same commit. */
const WHEN = '2026-04-06T09:00:00+09:00'

export function makeShop(folder: string): void {
  for (const [name, text] of Object.entries(FILES)) {
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
  git(folder, 'commit', '--quiet', '--message', 'A small shop')
}

function git(folder: string, ...args: string[]): void {
  const env = { ...process.env, GIT_AUTHOR_DATE: WHEN, GIT_COMMITTER_DATE: WHEN, GIT_CONFIG_NOSYSTEM: '1' }
  execFileSync('git', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
}

const FILES: Record<string, string> = {
  'package.json': `${JSON.stringify(
    { name: 'shop', private: true, type: 'module', scripts: { test: 'node --test' } },
    undefined,
    2,
  )}\n`,
  '.gitignore': 'node_modules/\n',
  'README.md': '# Shop\n\nTea, cups and kettles. `npm test` runs the tests. 仕様は docs/仕様.md にあります。\n',
  'docs/仕様.md':
    '# 仕様\n\n- 価格は税込み\n- 円未満の端数は四捨五入する (例: 99.4 円 → 99 円、99.5 円 → 100 円)\n- 1 回の注文は 999 個まで\n',
  'docs/リリース手順.md': '# リリース手順\n\n(作成中)\n',
  'data/商品.json': `${JSON.stringify({ tea: 'お茶', cup: '湯のみ', kettle: 'やかん' }, undefined, 2)}\n`,
  'src/price.js': lines(
    '// What things cost, in yen, as decimal numbers.',
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
    '// The cart: what a customer is about to buy.',
    "import { priceOf } from './price.js'",
    '',
    'const MOST = 999',
    '',
    'export class Cart {',
    '  #lines = new Map()',
    '  /** What was put in before the customer signed in. */',
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
    '// What the shop sells, by its names.',
    "import { readFileSync } from 'node:fs'",
    '',
    'export function names() {',
    "  return JSON.parse(readFileSync(new URL('../data/商品.json', import.meta.url), 'utf8'))",
    '}',
    '',
  ),
  'src/login.js': lines(
    '// Who a customer is.',
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
    "test('the same item twice is one line', () => {",
    '  const cart = new Cart()',
    "  cart.add('tea')",
    "  cart.add('tea', 2)",
    "  assert.deepEqual(cart.lines, [{ id: 'tea', pieces: 3 }])",
    '})',
    '',
    "test('999 個を超える注文は断る', () => {",
    "  assert.throws(() => new Cart().add('cup', 1000), /At most 999/)",
    '})',
    '',
    "test('an empty cart costs nothing', () => {",
    '  assert.equal(new Cart().total(), 0)',
    '})',
    '',
  ),
  'test/price.test.js': lines(
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { priceOf } from '../src/price.js'",
    '',
    "test('an unknown item has no price', () => {",
    "  assert.throws(() => priceOf('moon'), /No such item: moon/)",
    '})',
    '',
  ),
}

/** One by one: in a template of this file they would read as imports of it. */
function lines(...all: string[]): string {
  return all.join('\n')
}
