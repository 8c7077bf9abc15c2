// The tree of commands for commander. Names and summaries are there at once; a command's own file is loaded when it is named.
import { Argument, Command, Option } from 'commander'
import { catalogue } from './catalogue.gen.ts'
import type { GlobalOptions } from './context.ts'
import type { CommandSpec, Entry } from './define.ts'
import { configureHelp, examplesText } from './help.ts'
import type { Io } from './io.ts'
import { option, summary } from './texts-help.ts'
import { GROUPS } from './words.ts'

export type ProgramOptions = {
  readonly io: Io
  readonly args: readonly string[]
  readonly version: string
  /** Says nothing on its own: errors are reported as JSON. */
  readonly quiet: boolean
  run(spec: CommandSpec, args: (string | undefined)[], options: object, global: GlobalOptions): Promise<void>
}

export type Program = {
  readonly root: Command
  /** The words of the command that was reached, for messages about it. */
  named(): string
  /** Loads every command, for what is made from the whole tree. */
  loadAll(): Promise<Command>
}

/** What takes a file or a folder, for shell completion. commander keeps no such thing. */
export const takes = new WeakMap<Argument | Option, 'file' | 'folder'>()

export function createProgram(options: ProgramOptions): Program {
  const { io, quiet } = options
  const root = new Command('toryo')
  let current = root
  const entries = new Map<Command, Entry>()
  const load = async (command: Command) => {
    const spec = await entries.get(command)?.load?.()
    entries.delete(command)
    if (spec) fill(command, spec.default, root, options)
  }
  root
    .description(io.say(summary))
    .version(options.version, '-V, --version', io.say(option.version))
    .helpOption('-h, --help', io.say(option.help))
    .helpCommand(false)
    .exitOverride()
    .configureHelp(configureHelp(io))
    .configureOutput({
      writeOut: text => io.stdout.write(text),
      writeErr: text => void (quiet || io.stderr.write(text)),
      outputError: () => {}, // run.ts reports what is thrown.
      getOutHelpWidth: () => Math.min(io.width ?? 100, 110),
      getErrHelpWidth: () => Math.min(io.width ?? 100, 110),
    })
  addGlobals(root, io)
  const reach = async (_: Command, command: Command) => {
    current = command
    await load(command)
    if (showsChildren(command, options.args)) await Promise.all(command.commands.map(load))
  }
  root.hook('preSubcommand', reach)
  for (const entry of catalogue) {
    const parent = parentOf(root, entry.path)
    const command = parent.command(entry.path.split(' ').at(-1) as string).summary(io.say(entry.summary))
    command
      .description(io.say(entry.when ?? entry.summary))
      .helpOption('-h, --help', io.say(option.help))
      .helpCommand(false)
    if (entry.group) command.helpGroup(io.say(GROUPS[entry.group]))
    command.hook('preSubcommand', reach)
    entries.set(command, entry)
  }
  return {
    root,
    named: () => pathOf(current).join(' '),
    async loadAll() {
      await Promise.all([...entries.keys()].map(load))
      return root
    },
  }
}

function addGlobals(root: Command, io: Io): void {
  const tokenFile = new Option('--token-file <file>', io.say(option.tokenFile))
  const db = new Option('--db <file | url>', io.say(option.db))
  for (const file of [tokenFile, db]) takes.set(file, 'file')
  root.addOption(db).option('--json', io.say(option.json)).option('--url <url>', io.say(option.url))
  root.addOption(tokenFile)
}

/** The names of the commands below are enough for everything but their own help. */
function showsChildren(command: Command, args: readonly string[]): boolean {
  if (command.commands.length === 0) return false
  return args.at(-1) === command.name() || args.includes('--help') || args.includes('-h')
}

function fill(command: Command, spec: CommandSpec, root: Command, options: ProgramOptions): void {
  const { io } = options
  const first = spec.when ? io.say(spec.when) : command.description()
  command.description([first, ...(spec.about ? [io.say(spec.about)] : [])].join('\n\n'))
  for (const { name, text, choices, takes: kind } of spec.arguments ?? []) {
    const argument = new Argument(name, io.say(text))
    if (choices) argument.choices(choices)
    if (kind) takes.set(argument, kind)
    command.addArgument(argument)
  }
  for (const declared of spec.options ?? []) {
    const added = new Option(declared.flags, io.say(declared.text))
    if (declared.choices) added.choices(declared.choices)
    if (declared.default !== undefined) added.default(declared.default)
    if (declared.required) added.makeOptionMandatory()
    if (declared.parse) added.argParser(declared.parse)
    if (declared.takes) takes.set(added, declared.takes)
    command.addOption(added)
  }
  if (spec.examples) command.addHelpText('after', examplesText(spec.examples, io))
  command.action(async (...values: unknown[]) => {
    const given = values.slice(0, -2) as (string | undefined)[]
    await options.run(spec, given, command.opts(), root.opts<GlobalOptions>())
  })
}

function parentOf(root: Command, path: string): Command {
  const words = path.split(' ').slice(0, -1)
  return words.reduce((command, word) => command.commands.find(child => child.name() === word) ?? command, root)
}

export function pathOf(command: Command): string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : [command.name()]
}
