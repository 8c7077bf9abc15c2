// How `--help` looks: in the user's language, aligned whatever the script, with examples.
import { type Argument, type Command, Help, type Option } from 'commander'
import { padEnd, widthOf } from './width.ts'
import type { CommandSpec } from './define.ts'
import type { Io } from './io.ts'
import { titles } from './texts-help.ts'

const CJK = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}`
/** A word, or one Japanese character with the marks that may not begin a line. */
const CHUNKS = new RegExp(String.raw`\s*(?:[${CJK}][、。」）)ー…っゃゅょッャュョ]*|[^\s${CJK}]+)`, 'gu')

export function configureHelp(io: Io): Partial<Help> {
  return {
    showGlobalOptions: true,
    visibleGlobalOptions: command => globalsOf(command).filter(option => option.long !== '--version'),
    formatHelp(command, helper) {
      // What one can do comes before how to bend it.
      const blocks = Help.prototype.formatHelp.call(this, command, helper).trimEnd().split('\n\n')
      const isOptions = (block: string) =>
        [titles['Options:'], titles['Global Options:']].some(title => block.includes(io.say(title)))
      const sorted = [...blocks.filter(block => !isOptions(block)), ...blocks.filter(isOptions)]
      return `${sorted.join('\n\n')}\n`
    },
    displayWidth: widthOf,
    styleTitle: title => io.colors.bold(title in titles ? io.say(titles[title as keyof typeof titles]) : title),
    styleCommandText: text => io.colors.cyan(text),
    styleSubcommandText: text => io.colors.cyan(text),
    styleOptionText: text => io.colors.cyan(text),
    styleArgumentText: text => io.colors.cyan(text),
    subcommandTerm: command => {
      const args = command.registeredArguments.map(item => (item.required ? `<${item.name()}>` : `[${item.name()}]`))
      return [command.name(), ...args].join(' ')
    },
    optionDescription: item => described(item, io),
    argumentDescription: item => described(item, io),
    boxWrap: (text, width) => (width < 40 ? text : wrap(text, width)),
  }
}

function globalsOf(command: Command): Option[] {
  return command.parent ? [...globalsOf(command.parent), ...command.parent.options] : []
}

export function examplesText(examples: NonNullable<CommandSpec['examples']>, io: Io): string {
  const width = Math.max(...examples.map(([line]) => widthOf(line)))
  const room = (io.width ?? 100) - width - 6
  const fits = examples.every(([, does]) => widthOf(io.say(does)) <= room)
  const lines = examples.map(([line, does]) => {
    const comment = io.colors.dim(`# ${io.say(does)}`)
    return fits ? `  ${padEnd(line, width)}  ${comment}` : `  ${comment}\n  ${line}`
  })
  return `\n${io.colors.bold(io.say(titles['Examples:']))}\n${lines.join('\n')}`
}

function described({ description, argChoices, defaultValue }: Option | Argument, { lang }: Io): string {
  const extra = []
  if (argChoices) extra.push(argChoices.join(', '))
  if (defaultValue !== undefined && typeof defaultValue !== 'boolean')
    extra.push(`${lang === 'ja' ? '既定' : 'default'}: ${String(defaultValue)}`)
  return extra.length === 0 ? description : `${description} (${extra.join('; ')})`
}

/** Japanese has no spaces to break at. */
function wrap(text: string, width: number): string {
  const lines = text.split('\n').map(line => {
    const done: string[] = []
    let current = ''
    for (const chunk of line.match(CHUNKS) ?? []) {
      if (current && widthOf(current + chunk) > width) {
        done.push(current)
        current = chunk.trimStart()
      } else {
        current += chunk
      }
    }
    return [...done, current].join('\n')
  })
  return lines.join('\n')
}
