// What is wrong with a JSON file, by the parser's name for it.
import type { Text } from './errors.ts'

const SYNTAX: Readonly<Record<string, Text>> = {
  InvalidSymbol: { en: 'not a valid value', ja: '値として正しくありません' },
  InvalidNumberFormat: { en: 'not a valid number', ja: '数値として正しくありません' },
  PropertyNameExpected: { en: 'a name in double quotes is expected', ja: '二重引用符で囲んだ名前が必要です' },
  ValueExpected: { en: 'a value is expected', ja: '値が必要です' },
  ColonExpected: { en: 'a colon is missing', ja: 'コロン (:) がありません' },
  CommaExpected: { en: 'a comma is missing', ja: 'カンマ (,) がありません' },
  CloseBraceExpected: { en: 'a } is missing', ja: '} がありません' },
  CloseBracketExpected: { en: 'a ] is missing', ja: '] がありません' },
  EndOfFileExpected: { en: 'there is text after the end', ja: '末尾の後に余分な文字があります' },
  UnexpectedEndOfComment: { en: 'the comment is not closed', ja: 'コメントが閉じられていません' },
  UnexpectedEndOfString: { en: 'the string is not closed', ja: '文字列が閉じられていません' },
  InvalidEscapeCharacter: { en: 'not a valid escape sequence', ja: 'エスケープシーケンスが正しくありません' },
  InvalidCharacter: { en: 'not a valid character', ja: '使用できない文字です' },
}

export function syntaxWords(name: string): Text {
  return SYNTAX[name] ?? { en: name, ja: `書式が正しくありません (${name})` }
}
