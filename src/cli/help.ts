// How `--help` looks: in the user's language, aligned whatever the script, with examples.
import { type Argument, type Command, Help, type Option } from 'commander'
import { padEnd, widthOf } from './width.ts'
import { wrap } from './wrap.ts'
import type { CommandSpec } from './define.ts'
import type { Io } from './io.ts'
import { titles } from './texts-help.ts'

/** A description that has less than this beside its term goes below it. */
const READABLE = 28
const INDENT = 2

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
      // When one would use it comes first, then how.
      const [usage, first, ...rest] = sorted
      return `${[first, usage, ...rest].join('\n\n')}\n`
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
    boxWrap: (text, width) => wrap(text, width),
    // commander wraps nothing below 40 columns, and breaks words then.
    minWidthToWrap: 1,
    formatItem(term, termWidth, description, helper) {
      const width = helper.helpWidth ?? 80
      if (width - termWidth - 2 * INDENT >= READABLE)
        return Help.prototype.formatItem.call(this, term, termWidth, description, helper)
      const indented = wrap(description, width - 3 * INDENT).replaceAll(/^/gm, ' '.repeat(3 * INDENT))
      return `${' '.repeat(INDENT)}${term}${description ? `\n${indented}` : ''}`
    },
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
  return extra.length === 0 ? description : `${description} (${extra.join(lang === 'ja' ? '、' : '; ')})`
}
