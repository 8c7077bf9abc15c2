// Starts agents that are to review, and looks after those that do: a run of a crew, which may only read, in the workspace of the
// work. It goes through the same gate as every other start.
import { HubError } from '#contract/errors.ts'
import { ProjectError } from '#contract/projects.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import type { Spec } from '#domains/runs/specs.ts'
import type { AskedReview, Snapshot } from '#domains/thread/model.ts'
import type { ThreadFolders, ThreadWorktrees } from '#domains/thread/ports.ts'
import { proposedChecks } from '#domains/thread/proposed-checks.ts'
import { reviewPrompt } from '#domains/thread/review-prompt.ts'
import type { Text } from '#contract/errors.ts'
import type { ReviewId } from '#contract/id-types.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db/db.ts'
import type { Git } from '#kernel/git/git.ts'
import { GitError } from '#kernel/git/git-error.ts'
import type { Log } from '#kernel/log.ts'
import { Retries } from '#kernel/retries.ts'
import { changesOf } from '../changes-of.ts'
import { HUB } from '../own-caller.ts'
import type { Bind, Services } from '../services.ts'

type Deps = {
  database: Database
  bind: Bind
  git: Git
  clock: Pick<Clock, 'monotonic'>
  log: Pick<Log, 'warn'>
  worktrees: ThreadWorktrees
  folders: ThreadFolders
}

/** As much of the diff as a prompt bears. */
const DIFF_BYTES = 48 * 1024
/** A person may change this at any moment, so it is not a failure of the review: it waits. */
const WAITS = new Set(['MAX_CONCURRENT_REACHED'])
/** What fails so often in a row, whatever it is, is for a person. */
const MOST_TRIES = 5

export class ReviewStarts {
  readonly #deps: Deps
  readonly #retries: Retries<ReviewId>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#retries = new Retries(deps.clock)
  }

  /** One look at all that are open. True when something has changed. */
  async step(): Promise<boolean> {
    let did = false
    await this.#retries.each(
      await this.#services().askedReviews.listOpen(),
      ({ id }) => id,
      async review => {
        did = (await this.#look(review)) || did
      },
      async (error, review, count) => {
        this.#deps.log.warn({ err: error, review: review.id, count }, 'a review could not be started')
        if (count < MOST_TRIES) return
        await this.#settle(review, notReadable(error))
        did = true
      },
    )
    return did
  }

  #services(): Services {
    return this.#deps.bind(this.#deps.database)
  }

  #write<T>(verb: (services: Services) => Promise<T>): Promise<T> {
    const { database, bind } = this.#deps
    return database.tx(tx => verb(bind(tx)))
  }

  async #look(review: AskedReview): Promise<boolean> {
    const { crewRuns, askedReviews, snapshots } = this.#services()
    const snapshot = await snapshots.find(review.snapshotId)
    if (!snapshot || !(await this.#isHere(snapshot))) return false
    const refusal = await askedReviews.whyNot(review)
    const run = review.runId === null ? undefined : await crewRuns.find(review.runId)
    if (review.runId !== null) {
      if (run && run.endedAt === null) {
        // Its verdict would count no more.
        if (refusal && run.stopAsked === null && run.reportedAt === null)
          await this.#write(services => services.crewRuns.askStop(run.id, 'not-wanted', HUB))
        return false
      }
      await this.#settle(review, undefined)
      return true
    }
    if (refusal) {
      await this.#settle(review, GONE_BY.has(refusal.code) ? undefined : refusal.text)
      return true
    }
    return this.#start(review, snapshot)
  }

  async #settle({ id }: AskedReview, problem: Text | undefined): Promise<void> {
    await this.#write(services => services.askedReviews.settle(id, problem ?? null, HUB))
  }

  async #isHere({ worktreeId }: Snapshot): Promise<boolean> {
    const { worktrees } = this.#deps
    const home = await worktrees.home()
    return worktreeId !== null && home !== undefined && (await worktrees.homeOf(worktreeId)) === home
  }

  /** Slow, but for its end: files, git and programs are looked at before the transaction. */
  async #start(review: AskedReview, snapshot: Snapshot): Promise<boolean> {
    try {
      const spec = await this.#specOf(review, snapshot)
      const isStarted = await this.#write(async ({ askedReviews, crews }) =>
        askedReviews.start(
          review.id,
          async () => {
            const crew = await crews.create(`Review of ${review.taskId}`, 'concurrent', review.projectId, HUB)
            const [runId] = await crews.start(crew.id, [spec], { by: HUB, opener: HUB })
            if (runId === undefined) throw new Error('a review was given no run')
            return runId
          },
          HUB,
        ),
      )
      if (isStarted) this.#services().processes.wake()
      return isStarted
    } catch (error) {
      if (error instanceof HubError && WAITS.has(error.code)) return false
      if (error instanceof HubError && error.kind !== 'internal') {
        await this.#settle(review, error.text)
        return true
      }
      throw error
    }
  }

  async #specOf(review: AskedReview, snapshot: Snapshot): Promise<Spec> {
    const { agents, roles, trusts, checks } = this.#services()
    const { taskId, projectId } = review
    const task = await this.#services().tasks.find(taskId)
    if (!task) throw ProjectError.TASK_NOT_FOUND({ taskId })
    const directory = await this.#deps.folders.ofTask(taskId)
    const plan = await checks.plan(projectId, await proposedChecks(directory))
    const unknown = plan.filter(check => !check.trusted && check.required).map(({ name }) => name)
    if (unknown.length > 0) throw ThreadError.CHECKS_UNTRUSTED({ handle: task.handle, checks: unknown.join(', ') })
    const agent = await agents.find(review.agentId)
    if (!agent) throw ThreadError.REVIEWER_UNAVAILABLE({ agent: review.agentId, why: 'missing' })
    const role = await roles.bare(agent.id, agent.engine, agent.systemPrompt, 'read')
    const untrusted = await trusts.refusal(directory)
    const prompt = await this.#prompt(task, snapshot)
    const asked = { roleId: agent.id, role, prompt, timeoutMs: null, directory, projectId, taskId }
    return { ...asked, work: 'review', ...(untrusted && { untrusted }) }
  }

  async #prompt(task: { handle: string; title: string; description: string }, snapshot: Snapshot): Promise<string> {
    const { worktrees, evidence, taskDecisions } = this.#services()
    const { files, diff, truncated } = await changesOf(this.#deps.git, worktrees, snapshot, DIFF_BYTES)
    const cited = new Set(snapshot.cites)
    const decisions = (await taskDecisions.ofTask(snapshot.taskId)).filter(one => cited.has(String(one.decision_id)))
    return reviewPrompt({
      task,
      snapshot,
      evidence: await evidence.ofSnapshot(snapshot.id),
      files,
      diff,
      isCut: truncated,
      decisions: decisions.map(({ decision_id, decision }) => `${decision_id}: ${decision}`),
    })
  }
}

function notReadable(error: unknown): Text {
  const said = error instanceof GitError ? `: ${error.message.replace(/\.$/, '')}` : ''
  return {
    en: `The work that is to be reviewed could not be read${said}. Look at it yourself, or ask for the review again.`,
    ja: `レビューする作業を読み取れませんでした${said}。ご自身で確認するか、レビューをもう一度依頼してください。`,
  }
}

/** The work itself has moved on: that is not a problem of the review. */
const GONE_BY = new Set(['REVIEW_OUTDATED', 'NOTHING_TO_REVIEW'])
