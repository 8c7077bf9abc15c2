// What is wrong with a setting, for the person who wrote it. English is the schema's own sentence; Japanese is made from what it says.
import type { z } from 'zod'
import type { Text } from '#contract/errors.ts'

type Issue = z.core.$ZodIssue

export const THE_FILE: Text = { en: 'the file', ja: 'ファイル全体' }

export function unreadable(file: string, reason: string): Text {
  return { en: `${file} cannot be read: ${reason}`, ja: `${file} を読み込めません: ${reason}` }
}

export function issueWords(issue: Issue): Text {
  return { en: issue.message, ja: japanese(issue) }
}

const TYPES: Readonly<Record<string, string>> = {
  string: '文字列',
  number: '数値',
  int: '整数',
  boolean: 'true または false',
  array: '配列',
  object: 'オブジェクト',
  record: 'オブジェクト',
}

function japanese(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return '指定してください'
      return `${TYPES[issue.expected] ?? issue.expected}を指定してください`
    case 'unrecognized_keys':
      return `不明なキーです: ${issue.keys.map(key => JSON.stringify(key)).join(', ')}`
    case 'invalid_value':
      return `次のいずれかを指定してください: ${issue.values.map(value => JSON.stringify(value)).join(', ')}`
    case 'too_small':
      return `${issue.minimum}${unitOf(issue.origin)}以上にしてください`
    case 'too_big':
      return `${issue.maximum}${unitOf(issue.origin)}以下にしてください`
    case 'invalid_format':
      return issue.format === 'url'
        ? 'http:// または https:// で始まるアドレスにしてください'
        : '書式が正しくありません'
    case 'invalid_key':
      return 'この名前は使えません'
    case 'custom':
      return typeof issue.params?.['ja'] === 'string' ? issue.params['ja'] : issue.message
    default:
      return '値が正しくありません'
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' 文字'
  return origin === 'array' || origin === 'set' ? ' 個' : ' '
}
