// A demo as a newcomer starts it, but without pauses; its scratch home is in a folder of the test.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { locate } from '#client/locate.ts'
import { type HubState, readState } from '#client/state-file.ts'
import { TerminalLink } from '#client/terminal-link.ts'
import type { ApiInput, ApiOutput, Operation } from '#contract/api.ts'
import { demoHome } from '#demo/home.ts'
import { DIST } from '../scripts/sources.js'
import { build, ended, kill } from './processes.ts'
import { until } from './until.ts'

export class DemoFolder implements AsyncDisposable {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-demos-')))
  /** What the user has at home; the demo must leave it as it is. */
  readonly user = path.join(this.folder, 'user')
  readonly env: NodeJS.ProcessEnv
  readonly #started: ChildProcess[] = []

  constructor() {
    build()
    fs.mkdirSync(this.user)
    this.env = {
      ...{ PATH: process.env['PATH'], HOME: this.user, TMPDIR: this.folder, LANG: 'C' },
      // Its question waits for an answer for ever.
      ...{ TORYO_DEMO_PACE: '0', TORYO_DEMO_PATIENCE_MS: 'Infinity' },
    }
  }

  get place() {
    return demoHome(this.env)
  }

  start() {
    const child = spawn(process.execPath, [path.join(DIST, 'hub.js'), '--demo', '--no-open'], {
      env: this.env,
      cwd: this.user,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#started.push(child)
    return { child, ended: ended(child) }
  }

  /** Of the hub that runs here, once there is one. */
  state(pid?: number): Promise<HubState> {
    return until(() => {
      const state = fs.existsSync(this.place.home) ? readState(locate(this.place.db, { env: this.env })) : undefined
      return (pid === undefined || state?.pid === pid) && state
    })
  }

  /** Once there is something to see. */
  async begun(pid: number | undefined): Promise<void> {
    await this.state(pid)
    await until(async () => (await this.api('agent.list', {})).agents.length === 4)
  }

  async api<O extends Operation>(operation: O, input: ApiInput<O>): Promise<ApiOutput<O>> {
    const { url, token } = await this.state()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/${operation}`, { method: 'POST', headers, body: JSON.stringify(input) })
    const body = (await response.json()) as ApiOutput<O>
    if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${JSON.stringify(body)}`)
    return body
  }

  /** Presses a key in a terminal, as `toryo tab attach` does. */
  async press(tab: string, key: string): Promise<void> {
    const { url, token } = await this.state()
    const nothing = () => {}
    const events = {
      screen: nothing,
      output: nothing,
      resized: nothing,
      ended: nothing,
      notice: nothing,
      closed: nothing,
    }
    const link = await TerminalLink.open({ url, token }, { tab }, events)
    link.input(Buffer.from(key))
    await until(async () => (await this.api('inbox.list', {})).items.every(({ tab_id }) => tab_id !== tab))
    link.close()
  }

  /** A command as a person copies it into a terminal; what such a program keeps at home is no matter of the demo. */
  shell(command: string) {
    const env = { ...this.env, HOME: this.place.home }
    return ended(spawn('/bin/sh', ['-c', command], { env, cwd: this.user, stdio: ['ignore', 'pipe', 'pipe'] }))
  }

  git(...args: string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = spawn('git', ['-C', this.place.shop, ...args], { env: this.env })
      let text = ''
      child.stdout.setEncoding('utf8').on('data', part => (text += part))
      child.once('close', code => (code === 0 ? resolve(text) : reject(new Error(`git ended with ${code}`))))
    })
  }

  /** Everything that runs for a demo in this folder. */
  processes(): string[] {
    return fs.readdirSync('/proc').flatMap(name => {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
      try {
        const command = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        const isOurs = (command + fs.readFileSync(`/proc/${name}/environ`, 'utf8')).includes(this.place.home)
        return isOurs ? [`${name} ${command}`] : []
      } catch {
        return [] // It ended while we looked.
      }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#started) child.kill('SIGKILL')
    for (const line of this.processes()) kill(Number.parseInt(line, 10))
    await until(() => this.processes().length === 0)
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}
