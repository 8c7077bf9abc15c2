// Shell completion, made from the tree of commands itself, so that it cannot fall behind.
import type { Argument, Command, Option } from 'commander'
import { bash } from './bash.ts'
import { fish } from './fish.ts'
import { zsh } from './zsh.ts'
import { pathOf, takes } from '../program.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** One command, as the shells need it. */
export type Node = {
  /** Without the program's name; empty for the program itself. */
  readonly path: readonly string[]
  readonly about: string
  readonly children: readonly { name: string; about: string }[]
  readonly options: readonly Flag[]
  readonly arguments: readonly Values[]
}

export type Values = { readonly choices: readonly string[]; readonly files: 'file' | 'folder' | undefined }
export type Flag = Values & {
  readonly names: readonly string[]
  readonly about: string
  readonly hasValue: boolean
}

export function completionScript(shell: Shell, root: Command): string {
  return { bash, zsh, fish }[shell](nodesOf(root))
}

function nodesOf(root: Command): Node[] {
  const shared = root.options.filter(option => option.long !== '--version').map(flagOf)
  const visit = (command: Command): Node[] => {
    // With `--help`, which commander does not keep among the options.
    const own = command.createHelp().visibleOptions(command).map(flagOf)
    const node = {
      path: pathOf(command).slice(1),
      about: command.summary(),
      children: command.commands.map(child => ({ name: child.name(), about: child.summary() })),
      options: command === root ? own : [...own, ...shared],
      arguments: command.registeredArguments.map(valuesOf),
    }
    return [node, ...command.commands.flatMap(visit)]
  }
  return visit(root)
}

function flagOf(option: Option): Flag {
  return {
    ...valuesOf(option),
    names: [option.short, option.long].filter((name): name is string => name !== undefined && name !== null),
    about: option.description,
    hasValue: option.required || option.optional,
  }
}

function valuesOf(item: Option | Argument): Values {
  return { choices: item.argChoices ?? [], files: takes.get(item) }
}

/** In single quotes, for all three shells (fish knows the backslash in them as well). */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
