/** A repository is there, and git cannot read it or refuses to. */
export type Unreadable =
  | 'foreign'
  | 'newer-repository'
  | 'bad-config'
  | 'bad-head'
  | 'bad-link'
  | 'damaged'
  | 'not-a-file'

/** Why git could not do it. The caller turns it into a sentence for people. */
export type GitProblem =
  | Unreadable
  | 'missing'
  | 'too-old'
  | 'not-a-repository'
  | 'gone'
  | 'incomplete'
  | 'too-much'
  | 'time'
  | 'cancelled'
  | 'failed'

export class GitError extends Error {
  readonly problem: GitProblem
  /** The folder or file that is meant, where one is. */
  readonly path: string | undefined

  constructor(problem: GitProblem, message: string, path?: string) {
    super(message)
    this.problem = problem
    this.path = path
  }
}
