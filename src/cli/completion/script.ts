// Shell completion, made from the tree of commands itself, so that it cannot fall behind.
import type { Argument, Command, Option } from 'commander'
import { bash } from './bash.ts'
import { fish } from './fish.ts'
import { KINDS } from './names.ts'
import type { Flag, Node, Values } from './node.ts'
import { zsh } from './zsh.ts'
import { pathOf, takes } from '../program.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

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
    flags: [option.short, option.long].filter((name): name is string => name !== undefined && name !== null),
    about: option.description,
    hasValue: option.required || option.optional,
  }
}

function valuesOf(item: Option | Argument): Values {
  const [, placeholder = ''] =
    /[<[]([a-z]+)(?:\.\.\.)?[\]>]/.exec('flags' in item ? item.flags : `<${item.name()}>`) ?? []
  return {
    choices: item.argChoices ?? [],
    files: takes.get(item),
    names: KINDS.find(kind => kind === placeholder),
    several: item.variadic,
  }
}
