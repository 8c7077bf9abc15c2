import { expect, test } from 'vitest'
import { readArgs } from './arguments.ts'

test.each([
  [
    ['--port', '70000'],
    '--port must be a number from 0 to 65535, not 70000',
    '--port は 0 から 65535 の数にしてください (指定: 70000)',
  ],
  [
    ['--tls-cert', 'a.pem'],
    '--tls-cert and --tls-key go together',
    '--tls-cert と --tls-key は両方とも指定してください',
  ],
  [
    ['--idle-ms', 'x'],
    '--idle-ms must be a number of milliseconds, not x',
    '--idle-ms はミリ秒の数にしてください (指定: x)',
  ],
  [['--nonsense'], "Unknown option '--nonsense'", '不明なオプションです: --nonsense'],
])('%j is refused in both languages', (argv, en, ja) => {
  expect(readArgs(argv)).toEqual({ wrong: { en: expect.stringContaining(en), ja } })
})

test('`up` is taken for the name of the command', () => {
  expect(readArgs(['up', '--port', '0'])).toMatchObject({ port: 0, demo: false })
})
