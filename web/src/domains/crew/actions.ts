// What can be done about a run or a crew. Never shown before the hub has said so.
import { Refused, write } from '../../hub/call.ts'
import { notify } from '../../parts/notices.tsx'
import { currentWords } from '../../words/words.ts'
import { crewWords } from './words.ts'

export async function stopCrew(id: string): Promise<void> {
  await asked(() => write('crew.stop', { crew_id: id }), words().stopAsked)
}

/** The crew in which it goes on; undefined when the hub refused. */
export async function repeatRun(id: string): Promise<string | undefined> {
  return (await asked(() => write('run.repeat', { run_id: id }), words().repeated))?.crew.crew_id
}

export async function repeatCrew(id: string, onlyFailed: boolean): Promise<string | undefined> {
  const wish = { crew_id: id, ...(onlyFailed && { only_failed: true }) }
  return (await asked(() => write('crew.repeat', wish), words().repeated))?.crew.crew_id
}

/** Where its terminal is; undefined when the hub refused. */
export async function takeRun(id: string): Promise<string | undefined> {
  const tab = await asked(() => write('run.take', { run_id: id }), words().taken)
  return tab && `/terminals?show=${encodeURIComponent(tab.tab_id)}`
}

async function asked<T>(ask: () => Promise<{ value: T }>, done: string): Promise<T | undefined> {
  try {
    const { value } = await ask()
    notify({ kind: 'done', text: done })
    return value
  } catch (error) {
    const detail = error instanceof Refused ? error.message : currentWords().error.unreached
    notify({ kind: 'failed', text: words().refused, detail })
    return undefined
  }
}

const words = () => crewWords[currentWords().code]
