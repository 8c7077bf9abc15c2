// Random texts, and edits that went wrong: what comes out says the same but for our entry, or nothing does.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addEntry, removeEntry } from './entry-edit.ts'
import { type Entry, type Format, type Insertion, Unusable } from './format.ts'
import { jsonFormat } from './json-format.ts'
import type { Registered } from './ledger.ts'
import { tomlFormat } from './toml-format.ts'

const entry: Entry = { command: '/usr/bin/node', args: ['/opt/toryo/dist/bridge.js'] }
const json = jsonFormat('mcpServers')
const toml = tomlFormat('mcp_servers')

function recordOf({ at, inserted, after, madeHolder }: ReturnType<typeof addEntry>): Registered {
  const made = { madeHolder, madeFile: false, madeFolder: false }
  return { engine: 'x', file: '/x', owner: { kind: 'person' }, entry, at, inserted, after, ...made }
}

const gap = fc.stringMatching(/^(?:[ \t\n]|\r\n|\/\* [a-z,{}"] \*\/|\/\/ [a-z,{}"]\n){0,3}$/)
const name = fc.constantFrom('"a"', '"mcpServers"', '"x"', '"\\u0061"', '"名"', '"__proto__"')
const { object } = fc.letrec<{ object: string; value: string }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('1', '-0.5e3', '9007199254740993', '"} // no, /* none"', '[]', '{}', 'null'),
    fc.tuple(gap, tie('value'), gap).map(([a, value, b]) => `[${a}${value}${b}]`),
    tie('object'),
  ),
  object: fc
    .tuple(fc.array(fc.tuple(gap, name, gap, gap, tie('value'), gap), { maxLength: 3 }), gap, fc.boolean())
    .map(([members, end, comma]) => {
      const texts = members.map(([a, key, b, c, value, d]) => `${a}${key}${b}:${c}${value}${d}`)
      return `{${texts.join(',')}${comma && texts.length > 0 ? ',' : ''}${end}}`
    }),
}))
const jsonText = fc.tuple(fc.constantFrom('', '\uFEFF'), gap, object, gap).map(parts => parts.join(''))

const line = fc.constantFrom(
  ...['', '  ', '# a [b]', '[t]', '[t] # c', '[mcp_servers.x]', '["mcp_servers".y]', '[mcp_servers.x.env]', '[[list]]'],
  ...[
    'k = 1',
    'l = """\n[mcp_servers.gwt-agent-bridge]\n"""',
    'mcp_servers = { x = {} }',
    'mcp_servers = {}',
    'd.e = []',
  ],
  ...['mcp_servers.z.command = "z"', '  i = [\n 1, # ]\n]', 'day = 1979-05-27 07:32:00 # day'],
)
const tomlText = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.uniqueArray(line, { maxLength: 7 }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([lead, lines, end, last]) => lead + lines.join('\n').replaceAll('\n', end) + (last ? end : ''))

test.each<[string, Format, fc.Arbitrary<string>]>([
  ['JSON', json, jsonText],
  ['TOML', toml, tomlText],
])('into any %s and out again: to the byte the same, or refused', (_name, format, texts) => {
  let edited = 0
  const there = (text: string) => {
    const added = addEntry(format, text, entry)
    expect(format.find(added.text)?.value).toEqual(entry)
    const bytes = added.inserted.reduceRight(
      (rest, { at, text: own }) => rest.slice(0, at) + rest.slice(at + own.length),
      added.text,
    )
    expect(bytes).toBe(text)
    expect(removeEntry(format, added.text, recordOf(added), true)).toBe(text)
    // Found by its content alone: all other entries are unchanged.
    const rest = removeEntry(format, added.text, { ...recordOf(added), inserted: [], after: '' }, false)
    if (rest !== undefined) expect(format.saysTheRest(text, rest)).toBe(true)
    edited++
  }
  const refusedOr = (text: string) => {
    try {
      if (!format.find(text)) there(text)
    } catch (cause) {
      if (!(cause instanceof Unusable)) throw cause
    }
  }
  fc.assert(fc.property(texts, refusedOr), { numRuns: 1500 })
  expect(edited).toBeGreaterThan(500)
})

const wrong: [name: string, text: string, insertions: (good: Insertion[]) => Insertion[]][] = [
  ['another member comes with it', '{"a": 1}', good => [{ at: 1, text: '"z": 0, ' }, ...good]],
  ["somebody's member is cut in two", '{"a": 12}', good => [{ at: 7, text: ', "b": ' }, ...good]],
  ['another server comes with it', '{"mcpServers": {"x": 1}}', good => [{ at: 16, text: '"y": 0, ' }, ...good]],
  ["somebody's comment becomes longer", '{"a": 1 /* one */}', good => [{ at: 13, text: '!' }, ...good]],
  [
    "somebody's member becomes a comment",
    '{"a": 1, "b": 2}',
    good => [{ at: 1, text: '/*' }, { at: 8, text: '*/' }, ...good],
  ],
  ['it comes twice', '{"mcpServers": {"x": 1}}', good => [{ at: 16, text: '"gwt-agent-bridge": 0, ' }, ...good]],
  ['it does not come', '{"a": 1}', () => []],
]

test.each(wrong)('an edit that goes wrong changes nothing (%s)', (_name, text, insertions) => {
  const insert: Format['insert'] = (into, what) => {
    const good = json.insert(into, what)
    return { ...good, insertions: insertions(good.insertions) }
  }
  expect(addEntry(json, text, entry).text).not.toBe(text)
  expect(() => addEntry({ ...json, insert }, text, entry)).toThrow(Unusable)
})
