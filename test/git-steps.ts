// Random work in a repository, for tests that compare us with the plain program.
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import type { Repo } from './git.ts'

export type Step =
  | { do: 'write'; name: string; content: string }
  | { do: 'remove' | 'chmod' | 'stage'; name: string }
  | { do: 'move' | 'link'; name: string; to: string }
  | { do: 'commit' }

export function stepOf(name: fc.Arbitrary<string>, content: fc.Arbitrary<string>): fc.Arbitrary<Step> {
  return fc.oneof(
    fc.record({ do: fc.constant('write' as const), name, content }),
    fc.record({ do: fc.constantFrom('remove' as const, 'chmod' as const, 'stage' as const), name }),
    fc.record({ do: fc.constantFrom('move' as const, 'link' as const), name, to: name }),
    fc.record({ do: fc.constant('commit' as const) }),
  )
}

export function applyStep(repo: Repo, one: Step): void {
  const at = 'name' in one ? repo.at(one.name) : ''
  try {
    if (one.do === 'write') repo.write(one.name, one.content)
    if (one.do === 'remove') rmSync(at, { recursive: true })
    if (one.do === 'chmod') chmodSync(at, 0o755)
    if (one.do === 'link') symlinkSync(one.to, at)
    if (one.do === 'stage') repo.git('add', '--', one.name)
    if (one.do === 'commit') repo.commit()
    if (one.do === 'move') {
      mkdirSync(path.dirname(repo.at(one.to)), { recursive: true })
      renameSync(at, repo.at(one.to))
    }
  } catch {
    // Nothing there, or something else in the way: then this step does nothing.
  }
}
