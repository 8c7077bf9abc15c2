// What a scripted agent can do: speak, change files in the folder it was started in, run the tests, call tools of the hub. Each step is
// written to stdout in claude's form of JSON lines, so that the hub reads it as it reads an agent's.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lang, Text } from '#contract/errors.ts'
import { Bridge, type Called } from './bridge.ts'

export class Hand {
  readonly #session = randomUUID()
  readonly #pace: number
  readonly #lang: Lang
  readonly #bridge: Bridge
  #turns = 0

  private constructor(pace: number, lang: Lang, bridge: Bridge) {
    this.#pace = pace
    this.#lang = lang
    this.#bridge = bridge
  }

  static async open(pace: number, lang: Lang): Promise<Hand> {
    const hand = new Hand(pace, lang, await Bridge.open())
    await hand.#emit({ type: 'system', subtype: 'init', session_id: hand.#session, cwd: process.cwd(), model: 'demo' })
    return hand
  }

  /** In seconds at the usual pace. */
  async pause(seconds: number): Promise<void> {
    if (this.#pace > 0) await sleep(seconds * 1000 * this.#pace)
  }

  /** In the language of the demo. */
  text(text: Text): string {
    return text[this.#lang]
  }

  async say(text: Text): Promise<void> {
    await this.#speak([{ type: 'text', text: this.text(text) }])
    await this.pause(2.2)
  }

  async call(tool: string, input: Record<string, unknown>): Promise<Called> {
    const id = await this.#use(`mcp__toryo__${tool}`, input)
    const answer = await this.#bridge.call(tool, input)
    await this.#used(id, answer.text, answer.isError)
    await this.pause(0.8)
    return answer
  }

  async read(file: string): Promise<string> {
    const id = await this.#use('Read', { file_path: path.resolve(file) })
    const text = fs.readFileSync(file, 'utf8')
    await this.#used(id, text, false)
    await this.pause(0.8)
    return text
  }

  async write(file: string, text: string): Promise<void> {
    const target = path.resolve(file)
    const existed = fs.existsSync(target)
    const id = await this.#use('Write', { file_path: target })
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, text)
    await this.#used(id, 'written', false, { type: existed ? 'update' : 'create', filePath: target })
    await this.pause(2.5)
  }

  /** Where the text is not there, as after a person's own changes, the file stays as it is. */
  async edit(file: string, from: string, to: string): Promise<void> {
    const before = fs.readFileSync(file, 'utf8')
    if (before.includes(from))
      await this.write(
        file,
        before.replace(from, () => to),
      )
  }

  /** Really runs them, in this folder. */
  async test(): Promise<{ passed: number; failed: number }> {
    const id = await this.#use('Bash', { command: 'node --test' })
    const { code, output } = await runTests()
    await this.#used(id, output.slice(-4000), code !== 0)
    const count = (word: string) => Number(new RegExp(`^(?:#|ℹ) ${word} (\\d+)`, 'm').exec(output)?.[1] ?? 0)
    await this.pause(0.8)
    return { passed: count('pass'), failed: count('fail') }
  }

  async end(summary: string, isError = false): Promise<never> {
    this.#bridge.close()
    await this.#emit({
      type: 'result',
      subtype: isError ? 'error_during_execution' : 'success',
      is_error: isError,
      result: summary,
      session_id: this.#session,
      num_turns: this.#turns,
    })
    process.exit(isError ? 1 : 0)
  }

  async #use(name: string, input: unknown): Promise<string> {
    this.#turns += 1
    const id = `toolu_${randomUUID()}`
    await this.#speak([{ type: 'tool_use', id, name, input }])
    return id
  }

  #used(id: string, content: string, isError: boolean, result?: unknown): Promise<void> {
    const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError }
    const message = { role: 'user', content: [block] }
    return this.#emit({ type: 'user', session_id: this.#session, message, tool_use_result: result })
  }

  #speak(content: unknown[]): Promise<void> {
    return this.#emit({ type: 'assistant', session_id: this.#session, message: { role: 'assistant', content } })
  }

  #emit(event: unknown): Promise<void> {
    return new Promise(resolve => process.stdout.write(`${JSON.stringify(event)}\n`, () => resolve()))
  }
}

function runTests(): Promise<{ code: number; output: string }> {
  // A test runner that runs inside another reports to that one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise(resolve => {
    const child = execFile(process.execPath, ['--test'], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, output: stdout + stderr }),
    )
  })
}
