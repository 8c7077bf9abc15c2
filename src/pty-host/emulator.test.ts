import { afterEach, expect, test, vi } from 'vitest'
import { Terminal } from '@xterm/headless'
import { Emulator } from './emulator.ts'

afterEach(() => vi.restoreAllMocks())

const written = (emulator: Emulator, text: string) =>
  new Promise<void>(resolve => emulator.write(Buffer.from(text), resolve))

test('where the emulator cannot change its size, as with much text made very narrow, the screen begins anew', async () => {
  const emulator = new Emulator(1000, 24, () => {})
  await written(emulator, 'x'.repeat(100_000))
  vi.spyOn(Terminal.prototype, 'resize').mockImplementationOnce(() => {
    throw new RangeError('Maximum call stack size exceeded')
  })
  emulator.resize(2, 30)
  expect([emulator.cols, emulator.rows]).toEqual([2, 30])
  emulator.resize(80, 24)
  await written(emulator, 'here')
  expect(emulator.screen().lines[0]).toBe('here')
  expect(emulator.serialize()).toContain('here')
  emulator.dispose()
})

test('where the emulator never comes back, the screen begins anew and whoever waits is called once', async () => {
  let late = () => {}
  const emulator = new Emulator(80, 24, () => {}, 20)
  await written(emulator, '\x1b[?25lbefore')
  // As when it has thrown in the middle: no callback is called.
  vi.spyOn(Terminal.prototype, 'write').mockImplementationOnce((_bytes, done) => (late = done ?? late))
  let calls = 0
  await new Promise<void>(resolve =>
    emulator.write(Buffer.from('lost'), () => {
      calls++
      resolve()
    }),
  )
  late()
  expect(calls).toBe(1)
  await written(emulator, 'after')
  expect(emulator.screen().lines[0]).toBe('after')
  expect(emulator.serialize()).not.toContain('\x1b[?25l')
  emulator.dispose()
})

test('what a program writes wrongly stands in no log', async () => {
  const said = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const
  const spies = said.map(name => vi.spyOn(console, name).mockImplementation(() => {}))
  const emulator = new Emulator(80, 24, () => {})
  await written(emulator, '\x1b[漢\x1b]999;x\x07\x1bPq?\x1b\\\x1b[?9999h'.repeat(100))
  for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  emulator.dispose()
})

test('a screen says which rows go on with the one above, also after it was made narrower', async () => {
  const emulator = new Emulator(40, 6, () => {})
  await written(emulator, 'short\r\nShould it be a cookie or a token?\r\n> ')
  expect(emulator.screen().wrapped).toEqual([])
  emulator.resize(15, 6)
  const { lines, wrapped } = emulator.screen()
  expect(lines.slice(0, 4).map(line => line.trimEnd())).toEqual([
    ...['short', 'Should it be a', 'cookie or a tok', 'en?'],
  ])
  expect(wrapped).toEqual([
    { row: 2, spaced: true },
    { row: 3, spaced: false },
  ])
  emulator.dispose()
})
