import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MemoryRecord } from '#contract/memory.ts'
import { fromMarkdown, toMarkdown } from './memory-markdown.ts'

const Text = fc
  .array(
    fc.constantFrom(
      '認証',
      'a',
      ' ',
      '\n',
      '# x',
      '> q',
      '**Reason**',
      '<!-- topic {} -->',
      '--',
      '`',
      '\\u002d',
      '日本',
    ),
    {
      minLength: 1,
      maxLength: 10,
    },
  )
  .map(parts => parts.join(''))
  .filter(text => text.trim() !== '')

test('what is written as Markdown is read back as it was', () => {
  fc.assert(
    fc.property(Text, Text, Text, Text, (title, description, content, reason) => {
      const at = '2026-01-01T00:00:00.000Z'
      const records: MemoryRecord[] = [
        { type: 'topic', id: 3, parent_topic_id: null, title, description, created_at: at },
        { type: 'topic', id: 4, parent_topic_id: 3, title: 'child', description: null, created_at: at },
        { type: 'log', id: 1, topic_id: 4, content, created_at: at },
        { type: 'decision', id: 1, topic_id: 3, decision: content, reason, supersedes: null, created_at: at },
        { type: 'decision', id: 2, topic_id: null, decision: title, reason: content, supersedes: 1, created_at: at },
      ]
      expect(fromMarkdown(toMarkdown(records, 'shop'))).toEqual(records)
    }),
  )
})

test('a text without records is none', () => {
  expect(fromMarkdown('# Only a title\n\n> and a quote\n')).toBeUndefined()
})
