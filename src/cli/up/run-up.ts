// `toryo up`, seen from the person: in a terminal a live view of a hub of its own process, elsewhere a line for each change.
import tty from 'node:tty'
import { pathToFileURL } from 'node:url'
import { findHub } from '#client/start-hub.ts'
import type { Context } from '../context.ts'
import { loadWidths } from '../width.ts'
import { Changes } from './changes.ts'
import { liveView } from './live-view.ts'
import { connected, watchWork } from './watch.ts'

/** The hub's program, as dist/hub.js exports it. */
type HubProgram = {
  main(argv: string[], person?: { listening(db?: string): void; readonly watches: boolean }): Promise<number>
}

export async function runUp(cx: Context, argv: string[]): Promise<number> {
  const { io } = cx
  const isLive = io.stdin instanceof tty.ReadStream && io.stdout instanceof tty.WriteStream && io.env['TERM'] !== 'dumb'
  const isDemo = argv.includes('--demo')
  if (cx.global.json || (isDemo && !isLive)) return (await load(cx)).main(argv)
  await loadWidths()
  // A demo ends the one before it, and is never another's.
  const alreadyRuns = isLive && !isDemo && (await findHub(cx.target())) !== undefined
  if (isLive) return liveView(cx, argv, { isDemo, alreadyRuns })
  return plainLines(cx, argv)
}

/** One line per change, for files and pipes. */
async function plainLines(cx: Context, argv: string[]): Promise<number> {
  const { io } = cx
  const over = new AbortController()
  const changes = new Changes(io)
  const listening = () =>
    void connected(() => cx.connectRunning(), over.signal).then(
      hub =>
        hub &&
        watchWork(hub, over.signal, look => {
          for (const { text } of changes.take(look)) io.stderr.write(`${text}\n`)
        }),
    )
  try {
    return await (await load(cx)).main(argv, { listening, watches: true })
  } finally {
    over.abort()
  }
}

async function load(cx: Context): Promise<HubProgram> {
  return (await import(pathToFileURL(cx.hubProgram).href)) as HubProgram
}
