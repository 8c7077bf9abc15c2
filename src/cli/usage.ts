// commander's sentences about wrong use, in our words and the user's language. It speaks English only.
import type { CommanderError } from 'commander'
import type { Lang, Text } from '#contract/errors.ts'

/** What is not here stays as commander wrote it. */
const SENTENCES: readonly [RegExp, (...parts: string[]) => Text][] = [
  [
    /^missing required argument '(.+)'$/,
    name => ({ en: `The argument <${name}> is missing.`, ja: `引数 <${name}> がありません。` }),
  ],
  [
    /^option '(.+)' argument missing$/,
    flags => ({ en: `The option ${flags} needs a value.`, ja: `オプション ${flags} の値がありません。` }),
  ],
  [
    /^required option '(.+)' not specified$/,
    flags => ({ en: `The option ${flags} is needed.`, ja: `オプション ${flags} が必要です。` }),
  ],
  [/^unknown option '(.+)'$/, flag => ({ en: `Unknown option ${flag}.`, ja: `オプション ${flag} はありません。` })],
  [
    /^unknown command '(ls|list|ps)'$/,
    name => ({
      en: `Unknown command ${name}. Use \`toryo task list\`, \`toryo project list\` or \`toryo run list\` (what runs now).`,
      ja: `コマンド ${name} はありません。\`toryo task list\`、\`toryo project list\`、\`toryo run list\` (動作中のもの) を使ってください。`,
    }),
  ],
  [
    /^unknown command '(start|serve)'$/,
    name => ({
      en: `Unknown command ${name}. Use \`toryo up\` to run the hub, or \`toryo task start <task>\` to have an agent work on a task.`,
      ja: `コマンド ${name} はありません。ハブは \`toryo up\`、タスクは \`toryo task start <task>\` で開始します。`,
    }),
  ],
  [
    /^unknown command '(version)'$/,
    name => ({
      en: `Unknown command ${name}. Use \`toryo --version\`.`,
      ja: `コマンド ${name} はありません。\`toryo --version\` を使ってください。`,
    }),
  ],
  [/^unknown command '(.+)'$/, name => ({ en: `Unknown command ${name}.`, ja: `コマンド ${name} はありません。` })],
  [
    /^too many arguments(?: for '.+')?\. Expected (\d+) arguments? but got (\d+)\.$/,
    (wanted, given) => ({
      en: `Too many arguments: ${given} in place of ${wanted}.`,
      ja: `引数が多すぎます (${wanted} 個のところ ${given} 個)。`,
    }),
  ],
  [
    /^option '(.+)' argument '([^]*)' is invalid\. Allowed choices are (.+)\.$/,
    (flags, value, choices) => ({
      en: `${flags} cannot be '${value}'; choose one of ${choices}.`,
      ja: `${flags} に '${value}' は使えません。使えるのは ${choices} です。`,
    }),
  ],
  [
    /^command-argument value '([^]*)' is invalid for argument '(.+)'\. Allowed choices are (.+)\.$/,
    (value, name, choices) => ({
      en: `<${name}> cannot be '${value}'; choose one of ${choices}.`,
      ja: `<${name}> に '${value}' は使えません。使えるのは ${choices} です。`,
    }),
  ],
  [/^\(outputHelp\)$/, () => ({ en: 'Name the command that is to follow.', ja: '続くコマンドを指定してください。' })],
]

/** Their sentences name the command to use; a guess beside it would contradict it. */
const OFFERED = /^unknown command '(?:ls|list|ps|start|serve|version)'$/

export function usageSentence({ message }: Pick<CommanderError, 'message'>, lang: Lang): string {
  const [, sentence = message, guess] =
    /^(?:error: )?([^]*?)(?:\n\(Did you mean (?:one of )?(.+)\?\))?$/.exec(message) ?? []
  const said = translated(sentence)[lang]
  if (!guess || OFFERED.test(sentence)) return said
  return `${said}${lang === 'ja' ? ` もしかして: ${guess}` : ` Did you mean ${guess}?`}`
}

function translated(sentence: string): Text {
  for (const [pattern, write] of SENTENCES) {
    const found = pattern.exec(sentence)
    if (found) return write(...found.slice(1))
  }
  return { en: sentence, ja: sentence }
}
