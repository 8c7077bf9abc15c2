import { expect, test } from 'vitest'
import { diffOf } from './diff.ts'

const entry = { command: '/usr/local/bin/node', args: ['/opt/a/long/path/to/dist/bridge.js'] }

test('shows what comes with a little around it, and no long strings of others', () => {
  const before = 'a\nb\n"key": "sk-ant-0123456789012345"\n}\nz\n'
  const after = `a\nb\n"key": "sk-ant-0123456789012345",\n"args": ["${entry.args[0]}"]\n}\nz\n`
  expect(diffOf('/f', before, after, entry).split('\n')).toEqual([
    '--- /f',
    '+++ /f',
    '@@ line 3 @@',
    '  a',
    '  b',
    '- "key": "…"',
    '+ "key": "…",',
    '+ "args": ["/opt/a/long/path/to/dist/bridge.js"]',
    '  }',
    '  z',
  ])
})

test('of a file in one long line only what comes and goes', () => {
  const secret = 'x'.repeat(500)
  const before = `{"a":"${secret}"}`
  const diff = diffOf('/f', before, `{"a":"${secret}","b":1}`, entry)
  expect(diff).not.toContain('xxx')
  expect(diff.split('\n').at(-1)).toBe('+ …,"b":1…')
})
