import { expect, test } from 'vitest'
import { checkWords, tailIn } from './check-words.ts'

const SENTENCES = [
  ['stopped', checkWords.hubEnded, '実行中にハブが終了しました。'],
  ['not_started', checkWords.notFound('make'), 'make が見つかりません'],
  ['failed', checkWords.clean, 'クリーンなチェックアウトで実行しました。'],
  ['failed', checkWords.noFolder('packages/app'), 'フォルダー packages/app が存在しない'],
  ['failed', checkWords.setupFailed('npm was not found'), 'セットアップに失敗しました (npm was not found)'],
  ['failed', checkWords.setupChanges('a.txt, b.txt'), 'a.txt, b.txt'],
  ['timed_out', checkWords.tooLong(0.5), '0.5 分以内に終わりませんでした。'],
  ['stale', checkWords.changedBefore, '書き込みが終わってから'],
  ['stale', checkWords.changed('a.txt, $1.txt', 3), '無効です: a.txt, $1.txt ほか 3 件。'],
  ['stale', checkWords.changed('a.txt', 0), '無効です: a.txt。チェック'],
] as const

test.each(SENTENCES)('what the hub says about a check that is %s is read in Japanese, too', (outcome, sentence, ja) => {
  const tail = `line one\n${sentence}`
  expect(tailIn('en', { outcome, tail })).toBe(tail)
  const read = tailIn('ja', { outcome, tail })
  expect(read.split('\n')[0]).toBe('line one')
  expect(read).toContain(ja)
  expect(read).not.toContain(sentence)
})

test("a check's own words stay as they are", () => {
  const tail = `${checkWords.hubEnded}\n1 failed`
  expect(tailIn('ja', { outcome: 'failed', tail })).toBe(tail)
  expect(tailIn('ja', { outcome: 'failed', tail: checkWords.hubEnded })).toBe(checkWords.hubEnded)
  expect(tailIn('ja', { outcome: null, tail })).toBe(tail)
})
