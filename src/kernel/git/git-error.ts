/** Why git could not do it. Whoever asked says it in words for people. */
export type GitProblem =
  | 'missing'
  | 'too-old'
  | 'not-a-repository'
  | 'foreign'
  | 'gone'
  | 'incomplete'
  | 'too-much'
  | 'time'
  | 'cancelled'
  | 'failed'

export class GitError extends Error {
  readonly problem: GitProblem

  constructor(problem: GitProblem, message: string) {
    super(message)
    this.problem = problem
  }
}
