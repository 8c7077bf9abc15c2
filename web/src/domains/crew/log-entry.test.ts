import { expect, test } from 'vitest'
import { entriesOf, rawEntry } from './log-entry.ts'

const read = (value: unknown) => entriesOf(typeof value === 'string' ? value : JSON.stringify(value))
const said = (role: string, ...content: object[]) => ({ type: role, message: { role, content } })

test.each<[string, unknown, object[]]>([
  ['nothing', '', []],
  ['plain text', 'npm warn deprecated', [{ kind: 'raw', text: 'npm warn deprecated' }]],
  ['half a line', '{"type":"assis', [{ kind: 'raw', text: '{"type":"assis' }]],
  ['JSON of another kind', '{"type":"other"}', [{ kind: 'json', name: 'other', text: '{"type":"other"}' }]],
  ['JSON of no kind', '{"a":1}', [{ kind: 'json', name: '', text: '{"a":1}' }]],
  ['the start', { type: 'system', subtype: 'init', model: 'opus' }, [{ kind: 'note', text: 'opus' }]],
  [
    'words and a call',
    said('assistant', { type: 'text', text: 'Hm.' }, { type: 'tool_use', name: 'Edit', input: { file_path: 'a.ts' } }),
    [
      { kind: 'say', text: 'Hm.' },
      { kind: 'tool', name: 'Edit', text: 'a.ts' },
    ],
  ],
  [
    'what a call gave',
    said('user', { type: 'tool_result', is_error: true, content: [{ type: 'text', text: 'no such file' }] }),
    [{ kind: 'error', text: 'no such file' }],
  ],
  ['the end', { type: 'result', is_error: false, result: 'done' }, [{ kind: 'end', text: 'done' }]],
  [
    'a command of Codex',
    {
      type: 'item.completed',
      item: { type: 'command_execution', command: 'ls', aggregated_output: 'a', exit_code: 0 },
    },
    [
      { kind: 'tool', name: 'shell', text: 'ls' },
      { kind: 'result', text: 'a' },
    ],
  ],
  ['a word of Gemini', { type: 'message', role: 'assistant', content: 'Hi' }, [{ kind: 'say', text: 'Hi' }]],
  [
    'a call of opencode',
    { type: 'tool_use', part: { tool: 'bash', state: { input: { command: 'ls' } } } },
    [{ kind: 'tool', name: 'bash', text: 'ls' }],
  ],
])('%s', (_, line, entries) => expect(read(line)).toEqual(entries))

const TOKEN = `sess_${'aB3'.repeat(14)}x`

test('no entry repeats a credential, neither in its text nor in a name, also where the text is cut', () => {
  const lines = [
    `token ${TOKEN}`,
    { type: 'other', session_token: TOKEN },
    { type: 'other', text: `first\n${TOKEN}` },
    said('assistant', { type: 'tool_use', name: TOKEN, input: { session_token: TOKEN } }),
    said('assistant', { type: 'tool_use', name: 'login', input: { command: `${'x '.repeat(90)}${TOKEN}` } }),
    said('user', { type: 'tool_result', content: TOKEN }),
    { type: 'item.completed', item: { type: 'command_execution', command: TOKEN, aggregated_output: TOKEN } },
  ]
  const shown = JSON.stringify([
    ...lines.flatMap(read),
    ...lines.map(line => rawEntry(typeof line === 'string' ? line : JSON.stringify(line))),
  ])
  expect(shown).toContain('sess_[hidden]')
  expect(shown).not.toContain('aB3')
})

test.each(['__proto__', 'constructor', 'valueOf', 'toString', 'hasOwnProperty'])(
  'a line of the type %s is shown as it is',
  type => {
    const line = `{"type":"${type}"}`
    expect(read(line)).toEqual([{ kind: 'json', name: type, text: line }])
  },
)
