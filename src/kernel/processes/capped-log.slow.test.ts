import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { temporaryFolder, until } from '#test/scripted.ts'
import { CappedLog } from './capped-log.ts'

const MARK = /\n\[(\d+) bytes dropped\]\n/

test('a short log is what was written', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'x.log')
  const log = await CappedLog.create(file)
  log.write(Buffer.from('日本'))
  log.write(Buffer.from('語\n'))
  await log.close()
  expect(readFileSync(file, 'utf8')).toBe('日本語\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a long log keeps its beginning and its end, and says how much is missing', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'x.log')
  const log = await CappedLog.create(file, { cap: 10_000, head: 1000 })
  const lines = Array.from({ length: 5000 }, (_, at) => `line ${at}\n`)
  for (const line of lines) {
    log.write(Buffer.from(line))
    if (log.full) await log.drained()
  }
  await log.close()
  const text = readFileSync(file, 'utf8')
  const all = lines.join('')
  expect(text.length).toBeLessThanOrEqual(10_000)
  const [head = '', dropped, tail = ''] = text.split(MARK)
  expect(head).toBe(all.slice(0, 1000))
  expect(all.endsWith(tail)).toBe(true)
  expect(tail).toMatch(/^line \d+\n/)
  expect(Number(dropped)).toBe(all.length - head.length - tail.length)
  expect(log.dropped).toBe(Number(dropped))
})

test('however it is written, the file stays below its cap and nothing is lost untold', async () => {
  using folder = temporaryFolder()
  let count = 0
  const sizes = fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.integer({ min: 1024, max: 5000 }),
      fc.integer({ min: 0, max: 5000 }),
      async (writes, cap, head) => {
        const file = join(folder.path, `${count++}.log`)
        const log = await CappedLog.create(file, { cap, head })
        let at = 0
        let all = ''
        for (const size of writes) {
          const text = Array.from({ length: size }, () => (at++ % 37 === 0 ? '\n' : 'x')).join('')
          all += text
          log.write(Buffer.from(text))
          if (at % 3 === 0) await log.drained()
        }
        await log.close()
        const text = readFileSync(file, 'utf8')
        expect(text.length).toBeLessThanOrEqual(cap)
        const [start = '', dropped = '0', tail = ''] = text.split(MARK)
        expect(all.startsWith(start)).toBe(true)
        expect(all.endsWith(tail)).toBe(true)
        expect(start.length + Number(dropped) + tail.length).toBe(all.length)
      },
    ),
    { numRuns: 200 },
  )
})

test('says that it is full, and when it is not any more', async () => {
  using folder = temporaryFolder()
  const log = await CappedLog.create(join(folder.path, 'x.log'))
  for (let at = 0; at < 20; at++) log.write(Buffer.alloc(1024 * 1024))
  expect(log.full).toBe(true)
  await log.drained()
  expect(log.full).toBe(false)
  await log.close()
})

const mountable = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

test.runIf(mountable)('a full disk stops nobody, and is told of when it takes bytes again', async () => {
  using folder = temporaryFolder()
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', folder.path])
  try {
    const file = join(folder.path, 'x.log')
    const filler = join(folder.path, 'filler')
    const log = await CappedLog.create(file)
    log.write(Buffer.from('before\n'))
    await until(() => log.size > 0)
    expect(() => writeFileSync(filler, Buffer.alloc(1_000_000))).toThrow('ENOSPC')
    const lost = Buffer.alloc(100_000, 0x78)
    log.write(lost)
    await until(() => log.dropped > 0)
    expect(log.dropped).toBe(lost.length)

    rmSync(filler)
    log.write(Buffer.from('after\n'))
    await log.close()
    expect(readFileSync(file, 'utf8')).toBe('before\n\n[100000 bytes dropped]\nafter\n')
  } finally {
    spawnSync('umount', [folder.path])
  }
})

test('does not write over a file that is there', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'x.log')
  writeFileSync(file, 'mine')
  await expect(CappedLog.create(file)).rejects.toMatchObject({ code: 'EEXIST' })
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

test('tail -f goes on reading while it is written and shortened', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'x.log')
  const log = await CappedLog.create(file, { cap: 4096 })
  const tail = spawn('tail', ['-f', '-n', '+1', file], { stdio: ['ignore', 'pipe', 'ignore'] })
  let seen = ''
  tail.stdout.on('data', (bytes: Buffer) => (seen += bytes.toString()))
  log.write(Buffer.from('first\n'))
  await until(() => seen.includes('first'))
  for (let at = 0; at < 2000; at++) log.write(Buffer.from(`line ${at}\n`))
  log.write(Buffer.from('last\n'))
  await until(() => seen.includes('last'))
  tail.kill('SIGKILL')
  await log.close()
})
