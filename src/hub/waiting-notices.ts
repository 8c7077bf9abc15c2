import type { Notice } from '#runner/notice.ts'
import type { Composed } from './compose.ts'
import type { Waiting } from './waiting-starts.ts'

/** Shows the person at the hub's terminal which starts no Runner can take, each once per reason. */
export class WaitingNotices {
  readonly #hub: Pick<Composed, 'waiting'>
  readonly #notice: (notice: Notice) => void
  #said = new Map<string, string>()

  constructor(hub: Pick<Composed, 'waiting'>, notice: (notice: Notice) => void) {
    this.#hub = hub
    this.#notice = notice
  }

  async look(): Promise<void> {
    // A Runner that has yet to look may be the one. One that has yet to say that it is there, as ours after a sleep of the machine, too.
    const isSure = ({ runners }: Waiting) =>
      runners.length > 0 && runners.every(({ lacks }) => lacks.includes('engine') || !lacks.includes('unseen'))
    const waiting = (await this.#hub.waiting()).filter(isSure)
    const before = this.#said
    this.#said = new Map(waiting.map(start => [`${start.agentId} ${start.projectId}`, start.problem.en]))
    for (const { agentId, projectId, agentName: agent, projectName: project, problem } of waiting)
      if (before.get(`${agentId} ${projectId}`) !== problem.en) this.#notice({ kind: 'waits', agent, project, problem })
  }
}
