import type { Git } from '#kernel/git/git.ts'
import type { Store } from '#kernel/git/merge.ts'
import { Scratch } from '#kernel/git/scratch.ts'

/** After so many, the objects of works that are long past are thrown away with the folder. */
const MOST_TAKEN = 1000

/** One for each group of those that are compared. */
export class Scratches {
  readonly #git: Git
  readonly #open = new Map<string, { scratch: Scratch; taken: number }>()

  constructor(git: Git) {
    this.#git = git
  }

  get(group: string): Scratch | undefined {
    return this.#open.get(group)?.scratch
  }

  /** True when what was taken before is not there any more. */
  async ready(group: string, repository: Store): Promise<boolean> {
    const now = this.#open.get(group)
    if (now && now.taken < MOST_TAKEN) return false
    this.#open.delete(group)
    await now?.scratch.dispose()
    this.#open.set(group, { scratch: await Scratch.open(this.#git, repository), taken: 0 })
    return true
  }

  took(group: string): void {
    const now = this.#open.get(group)
    if (now) now.taken++
  }

  /** No others are needed any more. */
  async keep(groups: ReadonlySet<string>): Promise<void> {
    for (const [group, { scratch }] of this.#open) {
      if (groups.has(group)) continue
      this.#open.delete(group)
      await scratch.dispose()
    }
  }

  dispose(): Promise<void> {
    return this.keep(new Set())
  }
}
