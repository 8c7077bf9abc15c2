import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, type Inline, readMarkdown } from './read.ts'

const read = (text: string): Block[] => readMarkdown(text) ?? expect.unreachable(`${text} was not read`)
const paragraph = (text: string): Inline[] => {
  const [block] = read(text)
  return block?.kind === 'paragraph' ? block.parts : expect.unreachable(`${text} is no paragraph`)
}

test('reports are read as people write them', () => {
  expect(read('# Done\n\n- [x] `GET /healthz`\n- [ ] docs\n\n1. **one**\n2. ~~two~~')).toEqual([
    { kind: 'heading', parts: [{ kind: 'text', text: 'Done' }] },
    {
      kind: 'list',
      start: undefined,
      items: [
        { isDone: true, blocks: [{ kind: 'paragraph', parts: [{ kind: 'code', text: 'GET /healthz' }] }] },
        { isDone: false, blocks: [{ kind: 'paragraph', parts: [{ kind: 'text', text: 'docs' }] }] },
      ],
    },
    {
      kind: 'list',
      start: 1,
      items: [
        {
          isDone: undefined,
          blocks: [{ kind: 'paragraph', parts: [{ kind: 'strong', parts: [{ kind: 'text', text: 'one' }] }] }],
        },
        {
          isDone: undefined,
          blocks: [{ kind: 'paragraph', parts: [{ kind: 'del', parts: [{ kind: 'text', text: 'two' }] }] }],
        },
      ],
    },
  ])
  expect(read('| a | b |\n|---|---|\n| 1 | 2 |')).toMatchObject([
    { kind: 'table', rows: [[[{ text: '1' }], [{ text: '2' }]]] },
  ])
  expect(read('```js\nalert(1)\n```\n> quoted')).toMatchObject([{ kind: 'code', text: 'alert(1)' }, { kind: 'quote' }])
  expect(
    paragraph('one\ntwo')
      .map(part => 'text' in part && part.text)
      .join(''),
  ).toBe('one\ntwo')
})

test('a link says where it leads, unless its text does', () => {
  expect(paragraph('[the bank](https://evil.example/login)')).toMatchObject([{ kind: 'link', host: 'evil.example' }])
  expect(paragraph('[https://bank.example](https://evil.example/)')).toMatchObject([{ host: 'evil.example' }])
  expect(paragraph('https://toryo.example/docs')).toMatchObject([{ kind: 'link', host: undefined }])
  expect(paragraph('[раура](https://раура.example)')).toMatchObject([{ host: expect.stringMatching(/^xn--/) }])
  expect(paragraph('![chart](https://evil.example/a.png)')).toMatchObject([{ kind: 'link', host: 'evil.example' }])
})

const HARMFUL = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  '&#106;avascript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://x/1',
  '//evil.example/x',
  '/api/hub.stop',
  '#login=x',
  'https://good.example@evil.example/',
  'ws://127.0.0.1/events',
]

test.each(HARMFUL)('%j is no link, in whatever form', href => {
  for (const text of [`[x](${href})`, `[x](<${href}>)`, `![x](${href})`, `<${href}>`, `[x]\n\n[x]: ${href}`, href])
    for (const link of linksIn(read(text)))
      expect(new URL(link.href)).toMatchObject({
        protocol: /^https?:$/.exec(new URL(link.href).protocol)?.[0],
        username: '',
      })
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a <b onclick=alert(1)>bold</b>',
  '<!-- hidden -->',
  '<svg><style>@import "//evil"</style></svg>',
])('%s is text, every sign of it', text => {
  expect(textIn(read(text))).toBe(text)
  expect(linksIn(read(text))).toEqual([])
})

test('what nests without end is cut off or stands as it was written', () => {
  for (const text of ['>'.repeat(5000), '- '.repeat(5000), '['.repeat(5000), '*a '.repeat(5000), '![['.repeat(3000)])
    for (const block of readMarkdown(text) ?? []) expect(depthOf(block)).toBeLessThan(40)
})

test('whatever is written, nothing but text and links to the web comes of it', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      ...HARMFUL,
      '[',
      '](',
      ')',
      '<',
      '>',
      '![',
      '`',
      '```\n',
      '| a |\n|---|\n',
      '\n\n',
      '- ',
      '> ',
      '<a href="',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), parts => {
      for (const { href } of linksIn(readMarkdown(parts.join('')) ?? [])) expect(href).toMatch(/^https?:\/\/[^@/]*\//)
    }),
  )
})

type Link = Extract<Inline, { kind: 'link' }>

function linksIn(blocks: readonly Block[]): Link[] {
  return inlinesIn(blocks).flatMap(function deep(part): Link[] {
    if ('text' in part) return []
    return [...(part.kind === 'link' ? [part] : []), ...part.parts.flatMap(deep)]
  })
}

function textIn(blocks: readonly Block[]): string {
  return inlinesIn(blocks)
    .map(function deep(part): string {
      return 'text' in part ? part.text : part.parts.map(deep).join('')
    })
    .join('')
}

function inlinesIn(blocks: readonly Block[]): Inline[] {
  return blocks.flatMap((block): Inline[] => {
    if (block.kind === 'rule') return []
    if (block.kind === 'code') return [{ kind: 'text', text: block.text }]
    if (block.kind === 'quote') return inlinesIn(block.blocks)
    if (block.kind === 'list') return block.items.flatMap(item => inlinesIn(item.blocks))
    if (block.kind === 'table') return [...block.head.flat(), ...block.rows.flat(2)]
    return block.parts
  })
}

function depthOf(block: Block): number {
  const inner =
    block.kind === 'quote' ? block.blocks : block.kind === 'list' ? block.items.flatMap(item => item.blocks) : []
  return 1 + Math.max(0, ...inner.map(depthOf))
}
