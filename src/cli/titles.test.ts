import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { titlesOf } from './titles.ts'

test('titles are words, lines of a file, and lines of standard input, in that order', async () => {
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-titles-'))
  try {
    fs.writeFileSync(path.join(cwd, 'plan.md'), '# Plan\n\n- [ ] Log in\n* Pay\n1. Ship\n')
    const stdin = new PassThrough()
    stdin.end('From a pipe\n')
    expect(await titlesOf(['One', '@plan.md', '-', '@@home'], { stdin, cwd })).toEqual([
      'One',
      'Log in',
      'Pay',
      'Ship',
      'From a pipe',
      '@home',
    ])
    fs.writeFileSync(path.join(cwd, 'empty'), '\n')
    await expect(titlesOf(['@empty'], { stdin, cwd })).rejects.toMatchObject({ code: 'USAGE' })
  } finally {
    fs.rmSync(cwd, { recursive: true })
  }
})
