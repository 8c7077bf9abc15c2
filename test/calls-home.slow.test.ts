// No telemetry and no update check: what the programs connect to, and the names that they look up, lie on this machine.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ended, HEAVY, Workshop } from './processes.ts'

/** Loaded into each program before its own code: a line for each connection and each name that is looked up. */
const WITNESS = `
const { appendFileSync } = require('node:fs')
const dns = require('node:dns'), net = require('node:net')
const seen = to => appendFileSync(process.env.WITNESS, require('node:path').basename(process.argv[1] ?? '') + ' ' + to + '\\n')
seen('localhost')
const { lookup } = dns, { connect } = net.Socket.prototype
dns.lookup = function (name) { seen(name); return lookup.apply(this, arguments) }
net.Socket.prototype.connect = function (...words) {
  const [to] = net._normalizeArgs(Array.isArray(words[0]) ? words[0] : words)
  seen(to.path ?? to.host ?? 'localhost')
  return connect.apply(this, words)
}
`

test('the hub, the bridge and the command line connect to this machine alone', HEAVY, async () => {
  await using shop = new Workshop()
  const witness = path.join(shop.home, 'witness.cjs')
  const seen = path.join(shop.home, 'seen')
  writeFileSync(witness, WITNESS)
  shop.more = { NODE_OPTIONS: `--require ${witness}`, WITNESS: seen }
  const hub = await shop.hub()
  const bridge = shop.bridge()
  await bridge.initialize()
  expect((await bridge.call('health_check')).ok).toBe(true)
  await bridge.close()
  for (const words of [['status'], ['doctor'], ['project', 'add', 'shop', '--dir', '.']]) {
    const told = await ended(shop.spawn('../bin/toryo.js', [...words, '--db', shop.db()]))
    expect(told.code, told.stderr).toBe(0)
  }
  await hub.stop()
  const lines = readFileSync(seen, 'utf8').trim().split('\n')
  const elsewhere = lines.filter(line => !/ (127\.|::1$|localhost$|\/)/.test(line))
  expect(elsewhere).toEqual([])
  const programs = new Set(lines.map(line => line.split(' ')[0]))
  expect([...programs]).toEqual(expect.arrayContaining(['bridge.js', 'hub.js', 'toryo.js']))
})
