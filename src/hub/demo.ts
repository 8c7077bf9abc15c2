// `toryo up --demo`: a hub in a scratch home, over a repository of its own, with scripted agents. The home goes when the hub does.
import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '#client/api.ts'
import { HubLink } from '#client/hub-link.ts'
import { locate } from '#client/locate.ts'
import { findHub } from '#client/start-hub.ts'
import type { Lang, Text } from '#contract/errors.ts'
import { langOf } from '#contract/lang.ts'
import { direct } from '#demo/director.ts'
import {
  type DemoHome,
  demoHome,
  isOwn,
  makeDemoHome,
  moveInto,
  mustBeDemo,
  paceOf,
  patienceOf,
  quietConfig,
  removeDemoHome,
} from '#demo/home.ts'
import { seed } from '#demo/seed.ts'
import type { OwnedLog } from '#kernel/log.ts'
import { codeOf } from '#system/files.ts'
import { isAlive } from '#system/processes.ts'
import { type RunningHub, StartRefused } from './lifecycle.ts'

const NO_GIT: Text = {
  en: 'The demo needs git, which is not in the search path.',
  ja: 'デモには git が必要ですが、PATH に見つかりません。',
}

const END_MS = 30_000
/** Opening a browser takes some seconds. */
export const PAGE_WAIT_MS = 10_000

export class Demo {
  readonly place: DemoHome
  /** The environment that the person has; ours is the demo's own by now. */
  readonly asked: NodeJS.ProcessEnv
  readonly lang: Lang
  readonly #ending = new AbortController()

  private constructor(place: DemoHome, asked: NodeJS.ProcessEnv) {
    this.place = place
    this.asked = asked
    this.lang = langOf(asked)
  }

  /** From here on this process knows nothing of the user's own home. */
  static enter(env = process.env): Demo {
    const place = demoHome(env)
    const asked = { ...env }
    moveInto(place, env)
    return new Demo(place, asked)
  }

  /** Ends and deletes the demo before this one, also one that was killed: `settle` runs a hub over it that ends what is left. */
  async prepare(settle: () => Promise<void>): Promise<void> {
    const { home } = this.place
    if (fs.existsSync(home)) {
      mustBeDemo(this.place)
      await this.#endRunning()
      if (fs.existsSync(home)) {
        quietConfig(this.place)
        await settle()
        removeDemoHome(this.place)
      }
    }
    try {
      makeDemoHome(this.place, engineProgram(), this.lang)
    } catch (error) {
      if (isOwn(this.place)) removeDemoHome(this.place)
      const isMissing = codeOf(error) === 'ENOENT'
      throw new StartRefused(isMissing ? NO_GIT : { en: String(error), ja: String(error) })
    }
  }

  /** Fills the hub and lets the scene begin. */
  async begin({ url, token, pages }: RunningHub, log: OwnedLog): Promise<void> {
    const link = new HubLink(url, token)
    const client = createClient({ url, token, fetch: link.fetch })
    const { signal } = this.#ending
    const done = () => link.dispose()
    signal.addEventListener('abort', done)
    try {
      await seed(client, this.place.shop, this.lang)
    } catch (error) {
      if (signal.aborted) return // Ended while it was filled.
      throw error
    }
    const { last_event: since } = await client.call('hub.status', {})
    const pageWaitMs = Math.round(paceOf(process.env) * PAGE_WAIT_MS)
    const { lang } = this
    const patienceMs = patienceOf(process.env)
    const scene = { client, endpoint: { url, token }, directory: this.place.shop, lang, since, pages }
    void direct({ ...scene, pageWaitMs, patienceMs, signal })
      .catch(error => {
        if (!signal.aborted) log.error({ err: error }, 'the demo cannot go on')
      })
      .finally(done)
  }

  /** Once its hub has stopped, or is about to be killed. */
  leave(): void {
    this.#ending.abort()
    if (isOwn(this.place)) removeDemoHome(this.place)
  }

  stop(): void {
    this.#ending.abort()
  }

  async #endRunning(): Promise<void> {
    const state = await findHub(locate(this.place.db))
    if (!state) return
    const link = new HubLink(state.url, state.token, state.certificate)
    try {
      await createClient({ url: state.url, token: state.token, fetch: link.fetch }).call('demo.end', {})
    } finally {
      link.dispose()
    }
    const until = performance.now() + END_MS
    while (isAlive(state.pid)) {
      if (performance.now() > until)
        throw new StartRefused({
          en: `The demo before this one does not end (pid ${state.pid}). Stop it, then try again.`,
          ja: `前のデモ (pid ${state.pid}) が終了しません。停止してから、もう一度実行してください。`,
        })
      await pause(50)
    }
  }
}

/** dist/demo-engine.js, seen from dist/hub.js. */
function engineProgram(): string {
  return fileURLToPath(new URL('./demo-engine.js', import.meta.url))
}
