import { expect, test } from 'vitest'
import { parsePrompt } from './front-matter.ts'

test.each([
  ['none', '# Phase 0\n---\ntext', '# Phase 0\n---\ntext', []],
  ['an inline list', '---\nrequires: [a.md, "b c.md"]\n---\n\n# P', '# P', ['a.md', 'b c.md']],
  [
    'a list',
    '---\n# about\nrequires:\n  - docs/a.md\n  - docs/設計.md\n---\n# P',
    '# P',
    ['docs/a.md', 'docs/設計.md'],
  ],
  ['Windows line ends', '---\r\nrequires:\r\n- a.md\r\n---\r\n# P', '# P', ['a.md']],
  ['the same file twice', '---\nrequires: [a, a]\n---\n# P', '# P', ['a']],
  ['an empty list', '---\nrequires: []\n---\n# P', '# P', []],
  ['nothing inside', '---\n---\n# P', '# P', []],
])('reads %s', (_name, content, text, requires) => {
  expect(parsePrompt(content)).toEqual({ text, requires })
})

test.each([
  ['another key', '---\ntitle: x\n---\n'],
  ['a list without a key', '---\n- a.md\n---\n'],
  ['a way out', '---\nrequires: [docs/../../x]\n---\n'],
  ['an absolute path', '---\nrequires: [/etc/passwd]\n---\n'],
  ['a home', '---\nrequires: [~/x]\n---\n'],
  ['a drive', '---\nrequires: ["C:/x"]\n---\n'],
  ['a backslash', '---\nrequires: ["a\\\\b"]\n---\n'],
  ['too many', `---\nrequires: [${Array.from({ length: 51 }, (_, index) => `f${index}`).join(', ')}]\n---\n`],
])('refuses %s', (_name, content) => {
  expect(() => parsePrompt(content)).toThrow(/front matter/)
})
