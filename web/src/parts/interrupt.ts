// Ends what an agent does, for a person who goes on with it, or with nobody. For views of several domains: none imports another.
import { call, Refused, write } from '../hub/call.ts'
import { currentWords } from '../words/words.ts'
import { notify } from './notices.tsx'
import { sentence } from './sentence.ts'

/** Its process has some seconds to end; the workspace is free after that. */
const AGAIN_MS = 1000
const TRIES = 60

const en = {
  stop: 'Stop',
  take: 'Interrupt and take over',
  hint: 'Ends the agent. A terminal goes on with its conversation, in the folder that it worked in.',
  stopAsked: 'Asked to stop',
  waits: 'Waiting for the agent to end…',
  taken: 'The conversation goes on in a tab',
  refused: 'That did not work',
}
const ja: typeof en = {
  stop: '停止',
  take: '中断して引き継ぐ',
  hint: 'エージェントを終了し、作業していたフォルダーで会話をターミナルで続けます。',
  stopAsked: '停止を要求しました',
  waits: 'エージェントの終了を待っています…',
  taken: '会話をタブに引き継ぎました',
  refused: '実行できませんでした',
}
export const interruptWords = { en, ja }

const words = () => interruptWords[currentWords().code]

/** `id`: of a run of a crew, or of an agent on its task, which is todo then. */
export async function stopWork(id: string): Promise<boolean> {
  return (await said(() => stop(id), words().stopAsked)) !== undefined
}

/** Where its terminal is; undefined when the hub refused. */
export async function takeOver(id: string): Promise<string | undefined> {
  const tab = await said(async () => {
    await stop(id)
    notify({ kind: 'done', text: words().waits })
    return takeWhenFree(id)
  }, words().taken)
  return tab && `/terminals?show=${encodeURIComponent(tab.tab_id)}`
}

const isExecution = (id: string) => id.startsWith('exec_')

const stop = (id: string): Promise<unknown> =>
  isExecution(id) ? write('execution.stop', { execution_id: id }) : write('run.stop', { run_id: id })

async function takeWhenFree(run_id: string) {
  for (let tries = 1; ; tries++) {
    try {
      if (await hasEnded(run_id)) return (await write('run.take', { run_id })).value
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'WORKSPACE_BUSY') || tries >= TRIES) throw error
    }
    await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
  }
}

async function hasEnded(id: string): Promise<boolean> {
  const { value } = isExecution(id)
    ? await call('execution.show', { execution_id: id })
    : await call('run.show', { run_id: id })
  return value.ended_at !== null
}

async function said<T>(ask: () => Promise<T>, done: string): Promise<T | undefined> {
  try {
    const value = await ask()
    notify({ kind: 'done', text: done })
    return value
  } catch (error) {
    notify({ kind: 'failed', text: words().refused, detail: sentence(error) })
    return undefined
  }
}
