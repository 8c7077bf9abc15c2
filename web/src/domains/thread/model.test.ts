import { expect, test } from 'vitest'
import type { CommentView, MergeView } from '#contract/thread.ts'
import { parseDiff } from '../../parts/diff/parse.ts'
import { nameIn } from '../../parts/name-in.ts'
import { earlierEvidence, isVerified, keyOf, placeComments, queuesOf } from './model.ts'

const DIFF = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -4,2 +4,3 @@
 keep
-old
+new
+more
`

const comment = (comment_id: string, snapshot_id: string, path: string | null, line: number | null) =>
  ({ comment_id, snapshot_id, path, from_line: line, to_line: line }) as CommentView

test('a comment stands on the side of the diff that its snapshot is, or on its file', () => {
  const files = parseDiff(DIFF)
  const comments = [
    comment('now', 'snp_2', 'src/a.ts', 5),
    comment('before', 'snp_1', 'src/a.ts', 5),
    comment('far', 'snp_2', 'src/a.ts', 90),
    comment('older', 'snp_0', 'src/a.ts', 5),
    comment('elsewhere', 'snp_2', 'src/b.ts', 1),
    comment('general', 'snp_2', null, null),
  ]
  const placed = placeComments(comments, files, 'snp_2', 'snp_1')
  const ids = (list: readonly CommentView[] | undefined) => list?.map(({ comment_id }) => comment_id)
  expect(ids(placed.onLines.get(keyOf('src/a.ts', 'now', 5)))).toEqual(['now'])
  expect(ids(placed.onLines.get(keyOf('src/a.ts', 'old', 5)))).toEqual(['before'])
  expect(ids(placed.onFiles.get('src/a.ts'))).toEqual(['far', 'older'])
  expect(ids(placed.others)).toEqual(['elsewhere', 'general'])
  expect(ids(placeComments(comments, files, 'snp_2', undefined).onFiles.get('src/a.ts'))).toEqual([
    'before',
    'far',
    'older',
  ])
})

test('there is a queue for each base, without what has ended', () => {
  const merge = (handle: string, project_id: string, base: string, outcome: MergeView['outcome'] = null) =>
    ({ handle, project_id, base, outcome }) as MergeView
  const queues = queuesOf([
    merge('shop-1', 'shop', 'main'),
    merge('api-1', 'api', 'main'),
    merge('shop-2', 'shop', 'main'),
    merge('shop-3', 'shop', 'next'),
    merge('shop-0', 'shop', 'main', 'merged'),
  ])
  expect(queues.map(({ project, base, merges }) => [project, base, merges.map(({ handle }) => handle)])).toEqual([
    ['shop', 'main', ['shop-1', 'shop-2']],
    ['api', 'main', ['api-1']],
    ['shop', 'next', ['shop-3']],
  ])
})

test('work is verified when every required check passed, and there was one', () => {
  const check = (outcome: string | null, required = true) => ({ outcome, required }) as never
  expect(isVerified([])).toBe(false)
  expect(isVerified([check('passed', false)])).toBe(false)
  expect(isVerified([check('passed'), check('failed', false)])).toBe(true)
  for (const outcome of ['failed', 'timed_out', 'stale', null])
    expect(isVerified([check('passed'), check(outcome)])).toBe(false)
})

test('checks of earlier snapshots come with the number of theirs; those of merges and of this one are left out', () => {
  const evidence = ['snp_2', 'snp_1', null, 'snp_gone'].map(
    (snapshot_id, at) => ({ evidence_id: `evd_${at}`, snapshot_id }) as never,
  )
  const snapshots = [
    { snapshot_id: 'snp_2', number: 2 },
    { snapshot_id: 'snp_1', number: 1 },
  ]
  expect(earlierEvidence(evidence, snapshots, 'snp_2')).toMatchObject([
    { evidence: { evidence_id: 'evd_1' }, number: 1 },
  ])
})

test('people and agents are called by their names, and one that is gone by its id', () => {
  const names: Record<string, string> = { agt_kim: 'Kim' }
  expect(
    ['operator', 'operator:Aoi', 'agent:agt_kim', 'agent:agt_gone'].map(by => nameIn(by, id => names[id] ?? id, 'You')),
  ).toEqual(['You', 'Aoi', 'Kim', 'agt_gone'])
})
