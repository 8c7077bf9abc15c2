import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { locate } from '#client/locate.ts'
import { describedEngines, homeFindings } from './machine.ts'
import { portFindings } from './port.ts'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-doctor-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const at = (home: string, db?: string) => locate(db, { env: { HOME: folder, TORYO_HOME: home }, cwd: folder })

test('says that nothing can be written before the first use fails', () => {
  expect(homeFindings(at(path.join(folder, 'a', 'b')))).toMatchObject([{ level: 'ok' }])
  const file = path.join(folder, 'file')
  fs.writeFileSync(file, '')
  // Not even root makes a folder in a file.
  expect(homeFindings(at(path.join(file, '.toryo')))).toMatchObject([
    {
      check: 'home',
      level: 'fail',
      text: { en: expect.stringContaining(`Nothing can be written to ${file}`) },
      fix: { en: expect.stringContaining('TORYO_HOME') },
    },
  ])
  expect(homeFindings(at(path.join(folder, 'home'), path.join(file, 'x', 'toryo.db')))).toMatchObject([
    { check: 'home', level: 'fail' },
  ])
})

test('knows the engines that the configuration describes', () => {
  const target = at(folder)
  expect(describedEngines(target)).toEqual([])
  fs.writeFileSync(path.join(folder, 'config.json'), '{ // mine\n "engines": { "mine": { "headless": ["x"] }, }, }')
  expect(describedEngines(target)).toEqual(['mine'])
  fs.writeFileSync(path.join(folder, 'config.json'), 'null')
  expect(describedEngines(target)).toEqual([])
})

test('says who has the port, unless a hub has it', async () => {
  const server = net.createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  expect(await portFindings([undefined, `http://127.0.0.1:${port}`], port)).toEqual([])
  const [taken] = await portFindings([undefined], port)
  expect(taken).toMatchObject({ check: 'port', level: 'warn', fix: { en: expect.stringContaining('--port') } })
  expect(taken?.text.en).toContain(`Port ${port} is taken`)
  if (process.platform === 'linux') expect(taken?.text.en).toContain(`(pid ${process.pid})`)
  server.close()
  await once(server, 'close')
  expect(await portFindings([undefined], port)).toEqual([])
})
