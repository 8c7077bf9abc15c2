import { expect, test } from 'vitest'
import { browserName, reportOf, tabOf } from './model.ts'

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0 Safari/537.36',
    'Chrome · Linux',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0', 'Edge · Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', 'Safari · macOS'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox · Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/150.0 Safari/604.1', 'Chrome · iOS'],
  ['curl/8.0', 'curl/8.0'],
])('%s', (agent, name) => expect(browserName(agent)).toBe(name))

test('an unknown address is the general tab', () => {
  expect(tabOf('/settings/doctor')).toBe('doctor')
  expect(tabOf('/settings/nothing')).toBe('general')
})

test('the report says what to do under each finding', () => {
  const findings = [
    { check: 'git', level: 'fail' as const, message: 'no git', fix: 'install it' },
    { check: 'node', level: 'ok' as const, message: 'v20', fix: null },
  ]
  expect(reportOf({ ok: false, findings }, { version: '1.0', db: 'x.db' })).toBe(
    'Toryo 1.0, x.db\nFAIL git: no git\n     -> install it\nok   node: v20',
  )
})
