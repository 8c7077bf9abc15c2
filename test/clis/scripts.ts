// What the scripted model does: an agent as it should be, and others.
import type { Heard, Script, Step } from './model/conversation.ts'

type Steps = (Step | ((heard: Heard) => Step))[]

/** One step after the other; the number of results says which is next. */
export function inTurn(...steps: Steps): Script {
  return heard => {
    const step = steps[Math.min(heard.results.length, steps.length - 1)] as Step | ((heard: Heard) => Step)
    return typeof step === 'function' ? step(heard) : step
  }
}

const BEGIN: Steps = [
  ({ prompt }) => ({
    call: 'authenticate',
    args: { agent_id: first(prompt, /agt_\w+/), project_id: first(prompt, /prj_\w+/) },
  }),
  heard => ({ call: 'get_my_task', args: { session_token: answered(heard, 'session_token') } }),
]

const WORK: Steps = [
  ...BEGIN,
  // Known to it only since it has signed in.
  heard => ({ call: 'save_context', args: { task_id: answered(heard, 'task_id'), progress: 'The frame stands' } }),
  heard => ({ write: `${answered(heard, 'working_directory')}/roof.txt`, content: 'alpha\nbeta\n' }),
  heard => ({ edit: `${answered(heard, 'working_directory')}/roof.txt`, from: 'beta', to: 'BETA' }),
  { shell: 'echo shell-says-hi' },
]

const REPORT: Steps = [
  heard => ({
    call: 'report_completed',
    args: { session_token: answered(heard, 'session_token'), result: 'success', summary: 'The roof is on' },
  }),
  { say: 'All done: 屋根ができました' },
]

/** Does what the prompt of an instance asks for: sign in, take the task, work, report. `more` comes before the report. */
export function diligentWith(...more: Steps): Script {
  return inTurn(...WORK, ...more, ...REPORT)
}

/** Signs in, takes the task, does these in its folder, reports. */
export function working(...steps: ((folder: string) => Step)[]): Script {
  const work: Steps = steps.map(step => heard => step(answered(heard, 'working_directory')))
  return inTurn(...BEGIN, ...work, ...REPORT)
}

export const diligent: Script = diligentWith()

/** A field of some tool's answer, which the program may have wrapped, and quoted again. */
function answered({ results }: Heard, field: string): string {
  return first(results.join('\n'), new RegExp(`\\\\*"${field}\\\\*":\\s*\\\\*"([^"\\\\]+)`))
}

function first(text: string, pattern: RegExp): string {
  const [whole, group] = pattern.exec(text) ?? []
  return group ?? whole ?? 'missing'
}
