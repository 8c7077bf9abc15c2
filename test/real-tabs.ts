// Tabs on real hubs: a repository, an engine for each script, and tabs launched as people launch them.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { HostFiles, type JournalEntry } from '#kernel/terminals/host-files.ts'
import { isStill, type ProcessRecord } from '#kernel/processes/record.ts'
import { type HubChild, post, until, Workshop } from './processes.ts'
import { git } from './tabs.ts'

/** Its scripts are engines of the same name, run by `sh -c`. */
export class TabWorkshop implements AsyncDisposable {
  readonly shop = new Workshop()
  readonly #files: HostFiles

  constructor(scripts: Record<string, string>) {
    const { home, directory } = { home: this.shop.target().home, directory: path.join(this.shop.home, 'repo') }
    mkdirSync(home, { mode: 0o700 })
    const engines = Object.entries(scripts).map(([name, script]) => [name, { terminal: ['/bin/sh', '-c', script] }])
    const limits = { tabs: 50, launchesPerMinute: 100 }
    writeFileSync(path.join(home, 'config.json'), JSON.stringify({ limits, engines: Object.fromEntries(engines) }))
    mkdirSync(directory)
    git(directory, 'init', '-q', '-b', 'main')
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'first')
    this.#files = new HostFiles(path.join(home, 'pty', this.shop.target().hash.slice(0, 16)))
  }

  /** The id of a tab with this script; each has a branch of its own. */
  async launch(hub: HubChild, engine: string): Promise<string> {
    const { state } = hub
    if (!state) throw new Error(hub.exit?.stderr)
    await post(state, 'project.add', { id: 'prj', name: 'prj', directory: path.join(this.shop.home, 'repo') })
    const { status, body } = await post(state, 'tab.launch', { engine, branch: `b-${engine}`, project_id: 'prj' })
    if (status !== 200) throw new Error(JSON.stringify(body))
    const id = String(body['tab_id'])
    await until(() => this.#find(id)?.record.pid)
    return id
  }

  /** The program of a tab. */
  program(id: string): ProcessRecord {
    const found = this.#find(id)
    if (!found) throw new Error(`there is no terminal ${id}`)
    return found.record
  }

  /** The process that holds the terminals. */
  get host(): ProcessRecord {
    const state = this.#files.state()
    if (!state) throw new Error('there is no pty-host')
    return state.record
  }

  /** Should the test break off before its hub ends the host. */
  async [Symbol.asyncDispose](): Promise<void> {
    const record = this.#files.state()?.record
    if (record && isStill(record)) process.kill(record.pid, 'SIGTERM')
    if (record) await until(() => !isStill(record))
    await this.shop[Symbol.asyncDispose]()
  }

  #find(id: string): JournalEntry | undefined {
    return this.#files.journal().find(entry => entry.id === id)
  }
}
