// A demo that this hub started for a page: a process of its own, which ends and deletes itself when this hub goes, however it goes.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { DemoError } from '#contract/demo.ts'
import type { Lang } from '#contract/errors.ts'
import { TORYO_LANG } from '#contract/lang.ts'
import { OF_ONE_START } from '#system/environment-names.ts'

const KILL_MS = 20_000

export type DemoProcessOptions = {
  /** dist/hub.js */
  program: string
  env: NodeJS.ProcessEnv
}

export class DemoProcess {
  readonly #options: DemoProcessOptions
  #child: ChildProcess | undefined

  constructor(options: DemoProcessOptions) {
    this.#options = options
  }

  /** A link that signs in to it, once. Two that ask at once get links to the same demo. */
  async link(lang: Lang): Promise<string> {
    const child = (this.#child ??= this.#start(lang))
    let said = ''
    const hear = (text: string) => (said = (said + text).slice(-1000))
    child.stderr?.on('data', hear)
    try {
      return await new Promise<string>((resolve, reject) => {
        const key = randomUUID()
        const answered = (message: unknown) => {
          const { to, url } = message as { to?: string; url?: string }
          if (to !== key || url === undefined) return
          child.off('message', answered)
          resolve(url)
        }
        child.on('message', answered)
        child.once('exit', () => reject(DemoError.DEMO_NOT_STARTED({ reason: lastLine(said) })))
        child.once('error', error => reject(DemoError.DEMO_NOT_STARTED({ reason: error.message })))
        child.send({ ask: key }, error => {
          if (error) reject(DemoError.DEMO_NOT_STARTED({ reason: lastLine(said) || error.message }))
        })
      })
    } finally {
      child.stderr?.off('data', hear)
    }
  }

  /** It ends when the other end of its channel is closed. */
  async dispose(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    if (child.connected) child.disconnect()
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_MS)
    await exited
    clearTimeout(timer)
  }

  #start(lang: Lang): ChildProcess {
    const env: NodeJS.ProcessEnv = { ...this.#options.env, [TORYO_LANG]: lang }
    for (const name of OF_ONE_START) delete env[name]
    const child = spawn(process.execPath, [this.#options.program, '--demo', '--owned'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    child.stderr?.setEncoding('utf8').resume()
    const gone = () => {
      if (this.#child === child) this.#child = undefined
    }
    child.once('exit', gone)
    child.once('error', gone)
    return child
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) || 'it ended at once'
}

/** The other end, in the demo: answers with links, and says when the hub that started it is gone. */
export function serveOwner(link: () => Promise<string>, gone: () => void): void {
  process.on('disconnect', gone)
  process.on('message', message => {
    const { ask } = message as { ask?: string }
    if (ask !== undefined) void link().then(url => process.send?.({ to: ask, url }))
  })
  if (!process.connected) gone()
}
