import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ARROWS, checkDeps } from './check-deps.js'
import { importsIn } from './imports-in.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'toryo-deps-'))
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

const planted: Array<[name: string, file: string, source: string, report: string]> = [
  ['a library in contract', 'src/contract/a.ts', "import 'ws'", "1 contract may import no library but zod ('ws')"],
  ['node in contract', 'src/contract/a.ts', "\nimport fs from 'node:fs'", '2 contract may import no library but zod'],
  [
    'contract → kernel',
    'src/contract/a.ts',
    "import type { Db } from '#kernel/db/db.ts'",
    '1 contract may not import kernel',
  ],
  ['a library in system', 'src/system/a.ts', "import 'ws'", "1 system may import no library but node: ('ws')"],
  ['system → kernel', 'src/system/a.ts', "import x from '#kernel/clock.ts'", '1 system may not import kernel'],
  ['contract → system', 'src/contract/a.ts', "import x from '#system/files.ts'", '1 contract may not import system'],
  ['web → system', 'web/src/a.tsx', "import x from '../../src/system/files.ts'", '1 web may not import system'],
  [
    'a file that loads itself',
    'src/kernel/a.ts',
    "import './a.ts'",
    '1 closes a cycle: src/kernel/a.ts → src/kernel/a.ts',
  ],
  ['kernel → domains', 'src/kernel/a.ts', "import x from '#domains/tabs/model.ts'", '1 kernel may not import domains'],
  ['kernel → hub, relative', 'src/kernel/db/a.ts', "import x from '../../hub/a.ts'", '1 kernel may not import hub'],
  [
    'domains → transports',
    'src/domains/tabs/a.ts',
    "export * from '#transports/errors.ts'",
    '1 domains may not import transports',
  ],
  [
    'domains → engines',
    'src/domains/tabs/a.ts',
    "export { a, type b } from '#engines/a.ts'",
    '1 domains may not import engines',
  ],
  ['engines → domains', 'src/engines/a.ts', "import x from '#domains/tabs/a.ts'", '1 engines may not import domains'],
  [
    'transports → domains',
    'src/transports/a.ts',
    "import x from '#domains/tabs/a.ts'",
    '1 transports may not import domains',
  ],
  ['client → kernel', 'src/client/a.ts', "await import('#kernel/clock.ts')", '1 client may not import kernel'],
  ['hub → cli', 'src/hub/a.ts', "import x from '#cli/a.ts'", '1 hub may not import cli'],
  [
    'cli → hub, dynamic',
    'src/cli/a.ts',
    "const x = 1\n\nconst { main } = await import('#hub/main.ts')",
    '3 cli may not import hub',
  ],
  [
    'bridge → hub, as a type',
    'src/bridge/a.ts',
    "type Hub = import('../hub/main.ts').Hub",
    '1 bridge may not import hub',
  ],
  ['runner → domains', 'src/runner/a.ts', "import x from '#domains/a/b.ts'", '1 runner may not import domains'],
  [
    'registration → kernel',
    'src/registration/a.ts',
    "import x from '#kernel/clock.ts'",
    '1 registration may not import kernel',
  ],
  ['web → kernel', 'web/src/a.tsx', "import x from '../../src/kernel/clock.ts'", '1 web may not import kernel'],
  [
    'zod in the page',
    'web/src/hub/a.ts',
    "import { z } from '#contract/with-zod.ts'",
    '1 the page would load zod with it',
  ],
  ['web hub → parts', 'web/src/hub/a.ts', "import '../parts/a.tsx'", '1 web/src/hub may not import parts, only itself'],
  [
    'web parts → domains',
    'web/src/parts/a.tsx',
    "import '../domains/inbox/a.ts'",
    '1 web/src/parts may not import domains',
  ],
  [
    'web domains → app',
    'web/src/domains/inbox/a.ts',
    "import '../../app/a.ts'",
    '1 web/src/domains may not import app',
  ],
  [
    'a domain of the page → another',
    'web/src/domains/inbox/a.ts',
    "import '../projects/a.ts'",
    '1 domain inbox of the page may not import domain projects',
  ],
  [
    'markup made of text',
    'web/src/parts/a.tsx',
    '<p dangerouslySetInnerHTML={x} />',
    '1 dangerouslySetInnerHTML makes text',
  ],
  ['innerHTML', 'web/src/parts/a.tsx', '\nelement.innerHTML = x', '2 innerHTML makes text'],
  ['eval', 'web/src/parts/a.ts', 'eval(x)', '1 eval makes text'],
  [
    'the product → its tests',
    'src/hub/a.ts',
    "import { testHub } from '#test/test-hub.ts'",
    '1 hub may not import what is outside of src/',
  ],
  [
    'the product → scripts',
    'src/hub/a.ts',
    "import x from '../../scripts/a.js'",
    '1 hub may not import what is outside of src/',
  ],
  [
    'domain → domain',
    'src/domains/tabs/a.ts',
    "import x from '#domains/runs/model.ts'",
    '1 domain tabs may not import domain runs',
  ],
  [
    'domain → domain, relative',
    'src/domains/tabs/a.ts',
    "import x from '../runs/model.ts'",
    '1 domain tabs may not import domain runs',
  ],
  ['tool → tool', 'src/domains/tabs/tools/a.ts', "import x from './b.ts'", '1 a tool may not import another tool'],
  [
    'tool → tool by name',
    'src/domains/tabs/tools/a.ts',
    "import x from '#domains/tabs/tools/b.ts'",
    '1 a tool may not import another tool',
  ],
  [
    'an allowed zone by a relative path',
    'src/kernel/a.ts',
    "import x from '../contract/errors.ts'",
    '1 write #contract/…',
  ],
  ['a folder that is no zone', 'src/utils/a.ts', '', '1 belongs to no zone'],
  ['a file outside of the zones', 'src/a.ts', '', '1 belongs to no zone'],
  [
    'an import over several lines',
    'src/kernel/a.ts',
    "import {\n  a,\n  b as c,\n} from '#hub/a.ts'",
    '4 kernel may not import hub',
  ],
  [
    'an import after a tricky line',
    'src/kernel/a.ts',
    'const a = `${"}"}//${`/*`}`, b = /[/\'"`]/\nimport "#hub/a.ts"',
    '2 kernel may not import hub',
  ],
]

test.each(planted)('reports %s with file and line', (_name, file, source, report) => {
  plant('src/contract/with-zod.ts', "import { z } from 'zod'")
  plant(file, source)
  const reports = checkDeps(root).map(violation => `${violation.file}:${violation.line} ${violation.message}`)
  expect(reports).toEqual([expect.stringContaining(`${file}:${report}`)])
})

const allowed: Array<[name: string, file: string, source: string]> = [
  ['zod in contract', 'src/contract/a.ts', "import * as z from 'zod'\nimport x from './errors.ts'"],
  ['contract in kernel', 'src/kernel/a.ts', "import x from '#contract/errors.ts'\nimport fs from 'node:fs'"],
  ['node in system', 'src/system/a.ts', "import fs from 'node:fs/promises'\nimport x from '#contract/errors.ts'"],
  ['system in client', 'src/client/a.ts', "import x from '#system/files.ts'"],
  ['what a domain may', 'src/domains/tabs/a.ts', "import x from '#kernel/a.ts'\nimport y from './tools/b.ts'"],
  ['what a tool may', 'src/domains/tabs/tools/a.ts', "import x from '../service.ts'\nimport y from '#kernel/tool.ts'"],
  [
    'all that the hub may',
    'src/hub/a.ts',
    "import '#contract/a.ts'\nimport '#domains/tabs/a.ts'\nimport '#engines/a.ts'\nimport '#transports/a.ts'\nimport '#client/a.ts'",
  ],
  [
    'what the page may',
    'web/src/app/a.tsx',
    "import type { Api } from '#contract/with-zod.ts'\nimport '../domains/inbox/a.ts'\nimport '../parts/a.tsx'\nimport 'react'",
  ],
  ['anything in a test', 'src/contract/a.test.ts', "import { testHub } from '#test/test-hub.ts'\nimport '#hub/a.ts'"],
  ['the generated list of tools', 'src/domains/tabs/tools/list.gen.ts', "import a from './a.ts'"],
  [
    'what only looks like an import',
    'src/contract/a.ts',
    "// import 'ws'\n/* export * from 'ws' */\nconst a = \"import 'ws'\"\nconst b = `\n${a}\nimport 'ws'`\nlet c = { import: 'ws' }.import\nexport const from = 'ws'",
  ],
]

test.each(allowed)('allows %s', (_name, file, source) => {
  plant('src/contract/with-zod.ts', "import { z } from 'zod'")
  plant(file, source)
  expect(checkDeps(root)).toEqual([])
})

test('reports files that load each other, with the way round', () => {
  plant('src/kernel/a.ts', "import { b } from './b.ts'")
  plant('src/kernel/b.ts', "\nexport * from '#kernel/c.ts'")
  plant('src/kernel/c.ts', "import type { b } from './b.ts'\nimport { type A } from './a.ts'")
  expect(checkDeps(root)).toEqual([
    {
      file: 'src/kernel/c.ts',
      line: 2,
      message: 'closes a cycle: src/kernel/a.ts → src/kernel/b.ts → src/kernel/c.ts → src/kernel/a.ts',
    },
  ])
})

test.each([
  ['types', "import type { B } from './b.ts'\nexport type { B } from './b.ts'"],
  ['what is loaded later', "const b = () => import('./b.ts')"],
])('allows %s to go round', (_name, source) => {
  plant('src/kernel/a.ts', source)
  plant('src/kernel/b.ts', "import { a } from './a.ts'")
  expect(checkDeps(root)).toEqual([])
})

test('two ways to one file are no cycle', () => {
  plant('src/kernel/a.ts', "import './b.ts'\nimport './c.ts'")
  plant('src/kernel/b.ts', "import './d.ts'")
  plant('src/kernel/c.ts', "import './d.ts'")
  plant('src/kernel/d.ts', '')
  expect(checkDeps(root)).toEqual([])
})

test('ARCHITECTURE.md shows the arrows that are enforced', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8')
  const zones = text.slice(text.indexOf('\n## Zones\n'), text.indexOf('\n## Life of one call\n'))
  const rows = zones.matchAll(/^\| `(?:src\/)?([\w-]+)(?:\/<d>)?` \|(?:[^|]*\|){2} ([^|]*) \|$/gm)
  const table = [...rows].map(([, zone, imports]) => [zone, imports === '–' ? [] : imports?.split(', ')])
  expect(Object.fromEntries(table)).toEqual(ARROWS)
  const drawn = [...zones.matchAll(/^ {2}([\w-]+) --> (.+)$/gm)]
  const edges = drawn.flatMap(([, from, to]) => to?.split(' & ').map(zone => `${from} → ${zone}`))
  expect(new Set(edges)).toEqual(new Set(nearest(ARROWS)))
})

/** Without those that another arrow leads to as well. */
function nearest(arrows: Record<string, string[]>): string[] {
  return Object.entries(arrows).flatMap(([from, all]) =>
    all.filter(to => !all.some(between => arrows[between]?.includes(to))).map(to => `${from} → ${to}`),
  )
}

test('finds every form of import', () => {
  const source = `
    import a, { type b } from 'one'
    import * as c from "two"
    import 'three'
    import type { d } from 'four'
    export { e } from 'five'
    export * as f from 'six'
    export type { g } from 'seven'
    const h = await import('eight')
    const i = await import(\`nine\`)
    const j = require('ten')
    let k: typeof import('eleven')
    import l from 'twelve' with { type: 'json' }
    import.meta.url
    export { h }
    export const m = 'nothing'
  `
  expect(importsIn(source).map(found => found.specifier)).toEqual(
    'one two three four five six seven eight nine ten eleven twelve'.split(' '),
  )
})

test('knows which imports load a file with the one they are in', () => {
  const sources = {
    load: [
      "import 'a'",
      "import a from 'a'",
      "import { type A } from 'a'",
      "import type from 'a'",
      "export * from 'a'",
    ],
    type: ["import type { A } from 'a'", "import type A from 'a'", "export type { A } from 'a'"],
    later: ["const a = await import('a')", "const a = require('a')"],
  }
  for (const [when, texts] of Object.entries(sources))
    for (const text of texts) expect([text, importsIn(text)[0]?.when]).toEqual([text, when])
})

test('the real tree passes', () => {
  expect(checkDeps(path.resolve('.'))).toEqual([])
})

function plant(file: string, source: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), source)
}
