import { expect, test } from 'vitest'
import { runEnd } from '#contract/run-end.ts'
import { type Notice, noticeText } from './notice.ts'

const ended = (rest: Pick<Extract<Notice, { kind: 'ended' }>, 'report' | 'end'>): Notice => ({
  kind: 'ended',
  agent: 'Aoi',
  project: 'shop',
  ...rest,
})

test.each([
  ['success', '■ Aoi on shop: done', '■ Aoi (shop): 完了'],
  ['failed', '■ Aoi on shop: reported that it failed', '■ Aoi (shop): 失敗を報告しました'],
  ['blocked', '■ Aoi on shop: reported that it is blocked', '■ Aoi (shop): 作業を続けられないと報告しました'],
] as const)('an end with the report %s says what the agent reported, not its exit code', (report, en, ja) => {
  expect(noticeText(ended({ report, end: runEnd('reported') }))).toEqual({ en, ja })
})

test.each(['no-report', 'program-missing', 'sign-in', 'time-limit', 'silence'] as const)(
  'an end without a report (%s) says why, in either language, on one line',
  kind => {
    const { en, ja } = noticeText(
      ended({ report: null, end: runEnd(kind, { engine: 'claude', label: 'Claude Code' }) }),
    )
    expect(en).toMatch(/^■ Aoi on shop: no report: \S.{20,}/)
    expect(ja).toMatch(/^■ Aoi \(shop\): 報告なし: .*[ぁ-ん]/)
    for (const text of [en, ja]) {
      expect(text).not.toContain('\n')
      expect(text).not.toMatch(/exit code 0|終了コード 0/)
    }
  },
)
