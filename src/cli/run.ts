// From words to an exit code: the life of one command.
import { CommanderError } from 'commander'
import { HubError } from '#contract/errors.ts'
import { LOG_LEVEL } from '#system/environment-names.ts'
import { createContext, type GlobalOptions, type Installation } from './context.ts'
import type { Answer } from './define.ts'
import { CliError, EXIT, exitCodeOf, inCommands } from './errors.ts'
import { jsonText, visible } from './escape.ts'
import type { Io } from './io.ts'
import { createProgram } from './program.ts'
import { texts } from './texts.ts'
import { usageSentence } from './usage.ts'
import { loadWidths, needsWidths } from './width.ts'
import { fitted } from './wrap.ts'

export async function runCli(words: readonly string[], io: Io, installed: Installation): Promise<number> {
  const args = withoutHelpCommand(words)
  const json = beforeDashes(args).includes('--json')
  // Our own English needs no measuring.
  if (io.lang !== 'en') await loadWidths()
  const cleanups: (() => void)[] = []
  let code: number = EXIT.done
  const program = createProgram({
    io,
    args,
    version: installed.version,
    quiet: json,
    async run(spec, values, options, global) {
      checkGlobals(global)
      const result = await spec.run(createContext(io, global, installed, cleanups, args), options, ...values)
      code = typeof result === 'number' ? result : await print(io, result, json)
    },
  })
  try {
    await program.root.parseAsync(args, { from: 'user' })
    return code
  } catch (problem) {
    return await report(io, problem, json, program.named())
  } finally {
    for (const cleanup of cleanups.reverse()) cleanup()
  }
}

/** `toryo help task add` is `toryo task add --help`, and nothing at all is `toryo --help`. */
function withoutHelpCommand(words: readonly string[]): string[] {
  if (words.length === 0) return ['--help']
  return words[0] === 'help' ? [...words.slice(1), '--help'] : [...words]
}

function beforeDashes(args: string[]): string[] {
  const end = args.indexOf('--')
  return end === -1 ? args : args.slice(0, end)
}

function checkGlobals({ db, url }: GlobalOptions): void {
  if (db !== undefined && url !== undefined) throw CliError.USAGE({ text: texts.urlAndDb })
}

async function print(io: Io, answer: Answer, json: boolean): Promise<number> {
  if (json) {
    io.stdout.write(`${jsonText(answer.json, io.width === undefined ? 0 : 2)}\n`)
  } else {
    const text = typeof answer.text === 'string' ? answer.text : await laidOut(answer.text, answer.json)
    if (text) io.stdout.write(`${await inLines(text, io.width)}\n`)
    if (answer.note) io.stderr.write(`${await inLines(answer.note, io.errorWidth)}\n`)
  }
  return answer.code ?? EXIT.done
}

async function laidOut(text: () => string, data: unknown): Promise<string> {
  if (needsWidths(JSON.stringify(data))) await loadWidths()
  return text()
}

/** Broken between words, where it is shown in a window. */
async function inLines(text: string, width: number | undefined): Promise<string> {
  if (width !== undefined && needsWidths(text)) await loadWidths()
  return fitted(text, width)
}

async function report(io: Io, problem: unknown, json: boolean, command: string): Promise<number> {
  if (problem instanceof CommanderError && problem.exitCode === 0) return EXIT.done
  const known = asHubError(problem, io)
  const message = io.say(inCommands(known))
  if (json) {
    io.stderr.write(`${jsonText({ error: { code: known.code, message } })}\n`)
    return exitCodeOf(known)
  }
  // Help was asked for by leaving out what must come next: commander has printed it.
  if (problem instanceof CommanderError && problem.code === 'commander.help') return EXIT.wrongUse
  const hint = problem instanceof CommanderError ? `\n${io.say(texts.usageHint(command))}` : ''
  io.stderr.write(`${await inLines(`toryo: ${visible(message)}${hint}`, io.errorWidth)}\n`)
  if (!(problem instanceof HubError || problem instanceof CommanderError) && Number(io.env[LOG_LEVEL]) >= 3)
    io.stderr.write(`${(problem as Error).stack}\n`)
  return exitCodeOf(known)
}

function asHubError(problem: unknown, io: Io): HubError {
  if (problem instanceof HubError) return problem
  if (problem instanceof CommanderError) {
    const sentence = usageSentence(problem, io.lang)
    return CliError.USAGE({ text: { en: sentence, ja: sentence } })
  }
  const reason = problem instanceof Error ? problem.message : String(problem)
  return new HubError('UNEXPECTED', 'internal', texts.unexpected(reason), {}, problem)
}
