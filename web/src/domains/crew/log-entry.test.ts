import { expect, test } from 'vitest'
import { entriesOf } from './log-entry.ts'

const read = (value: unknown) => entriesOf(typeof value === 'string' ? value : JSON.stringify(value))
const said = (role: string, ...content: object[]) => ({ type: role, message: { role, content } })

test.each<[string, unknown, object[]]>([
  ['nothing', '', []],
  ['plain text', 'npm warn deprecated', [{ kind: 'raw', text: 'npm warn deprecated' }]],
  ['half a line', '{"type":"assis', [{ kind: 'raw', text: '{"type":"assis' }]],
  ['JSON of another kind', '{"type":"other"}', [{ kind: 'raw', text: '{"type":"other"}' }]],
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
