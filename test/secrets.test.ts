import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemIds } from '#kernel/ids.ts'
import { looksSecret, withoutSecrets } from '#contract/secrets.ts'

test('every kind of credential is cut out of a text, with its kind left', () => {
  for (const kind of ['sess', 'key', 'tkt', 'rtk', 'ttk', 'rnr', 'hub', 'mark']) {
    const secret = systemIds.secret(kind)
    expect(withoutSecrets(`no agent ${secret}; agent://${secret}`)).toBe(
      `no agent ${kind}_[hidden]; agent://${kind}_[hidden]`,
    )
  }
})

test('so is the secret of a connection, and a credential that lost its beginning', () => {
  expect(withoutSecrets(`a ${randomBytes(32).toString('hex')} b`)).toBe('a [hidden] b')
  expect(withoutSecrets('(wSfq3eXGZ0-TjR6c1uFdT7wq9BvKxLmN_o2pRsYtUaI)')).toBe('([hidden])')
})

test('ids, names, paths and sentences stay as they are', () => {
  const ids = ['prj', 'agt', 'tsk', 'ssn', 'exec', 'run', 'tab', 'msg', 'hof', 'ref'].map(kind => systemIds.next(kind))
  for (const text of [
    ...ids,
    'grp-1767225600-0123456789abcdef01234567',
    'agt_key_keeper',
    'feature/implement-the-new-login-screen-for-every-user-of-the-house',
    '/home/hanako/work/a1b2c3d4-e5f6-7890-abcd-ef0123456789/repo',
    '9e81e2f0c5b1d2a3e4f5a6b7c8d9e0f1a2b3c4d5',
    '鍵 key_short は短い',
  ]) {
    expect(withoutSecrets(text)).toBe(text)
    expect(looksSecret(text)).toBe(false)
  }
})
