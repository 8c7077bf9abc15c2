import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAlive } from '#system/processes.ts'
import { ended, HEAVY, type HubChild, post, until, Workshop } from '../processes.ts'

describe('several hubs at once', () => {
  // Every way to start one after every way in which the one before can have ended.
  const ROUNDS = [
    { way: 'background', end: 'kill' },
    { way: 'background', end: 'stop' },
    { way: 'person', end: 'kill' },
    { way: 'person', end: 'stop' },
    { way: 'background', end: 'stop' },
  ] as const

  test('exactly one gets the database; the others end and change nothing', HEAVY, async () => {
    await using shop = new Workshop()
    for (const [round, { way, end }] of ROUNDS.entries()) {
      // In the background losing the race is normal, for a person it is an error.
      const background = way === 'background'
      const args = background ? ['--background'] : ['--port=0', '--json']
      const starting = Array.from({ length: 8 }, () => shop.hub(shop.db(), args))
      const hubs = await Promise.all(starting)
      const winners = hubs.filter(hub => hub.exit === undefined)
      expect(winners).toHaveLength(1)
      for (const hub of hubs) {
        if (hub === winners[0]) continue
        expect(hub.exit).toMatchObject({ code: background ? 75 : 1, signal: null, stdout: '' })
        if (!background) expect(hub.exit?.stderr).toContain('already running')
      }
      const winner = winners[0] as HubChild
      expect((await shop.servingHub()).pid).toBe(winner.pid)
      if (round === 0) {
        const before = fingerprints(shop)
        expect((await shop.refusal(shop.db())).code).toBe(75)
        expect(fingerprints(shop)).toEqual(before)
      }
      expect((await post(winner.state as never, 'project.add', { name: `round ${round}` })).status).toBe(200)
      if (end === 'kill') await winner.kill()
      else expect((await winner.stop()).code).toBe(0)
    }
    const last = await shop.hub()
    const { body } = await post(last.state as never, 'project.list', {})
    expect(body['projects']).toHaveLength(ROUNDS.length)
    await last.stop()
    await shop.allGone()
  })

  test('eight bridges without a hub start exactly one', HEAVY, async () => {
    await using shop = new Workshop()
    const bridges = Array.from({ length: 8 }, () => shop.bridge())
    const answers = await Promise.all(bridges.map(bridge => bridge.initialize()))
    for (const answer of answers) expect(answer.result?.['serverInfo']).toMatchObject({ name: 'toryo' })
    // A bridge that was held up loses its turn to start one to another; the hub that comes second finds the lock taken and goes.
    await until(() => shop.processes().filter(({ command }) => command.includes('hub.js')).length === 1)
    const logs = path.join(shop.home, 'toryo', 'logs')
    const names = readdirSync(logs).filter(name => name.startsWith('hub-'))
    const said = names.map(name => readFileSync(path.join(logs, name), 'utf8'))
    expect(said.join('').split('the hub listens').length - 1).toBe(1)
    for (const bridge of bridges) expect((await bridge.close()).code).toBe(0)
    await shop.stopHub()
    await shop.allGone()
  })

  test('a person takes over from a background hub, and its bridges follow', async () => {
    await using shop = new Workshop()
    const bridge = shop.bridge()
    await bridge.initialize()
    const { pid } = await shop.servingHub()
    const up = await shop.hub(shop.db(), ['--port=0', '--json'])
    expect(up.exit).toBeUndefined()
    expect(isAlive(pid)).toBe(false)
    expect((await bridge.call('health_check')).ok).toBe(true)
    expect((await bridge.close()).code).toBe(0)
    expect((await up.stop()).code).toBe(0)
    await shop.allGone()
  })

  test('somebody else on the port of a dead hub is told no token', async () => {
    await using shop = new Workshop()
    const hub = await shop.hub()
    const dead = hub.state as NonNullable<typeof hub.state>
    await hub.kill()
    const { createServer } = await import('node:http')
    const heard: string[] = []
    const squatter = createServer((request, response) => {
      heard.push(JSON.stringify(request.headers))
      response.end('ok')
    }).listen(Number(new URL(dead.url).port), '127.0.0.1')
    squatter.on('upgrade', (request, socket) => {
      heard.push(JSON.stringify(request.headers))
      socket.destroy()
    })
    // One that holds the lock but is not up yet, as a hub that starts: the file is still the dead one's.
    const { takeLock } = await import('#kernel/db/lock.ts')
    const lock = takeLock(shop.target().lockPath)
    const up = await shop.refusal(shop.db(), ['--port=0'])
    expect(up).toMatchObject({ code: 1, stderr: expect.stringContaining('already running') })
    lock?.release()
    const bridge = shop.bridge()
    await bridge.initialize()
    expect(heard.length).toBeGreaterThan(0)
    expect(heard.join('\n')).not.toContain(dead.token)
    expect((await bridge.close()).code).toBe(0)
    await shop.stopHub()
    squatter.closeAllConnections()
    await new Promise(resolve => squatter.close(resolve))
    await shop.allGone()
  })
})

describe('bridges', () => {
  test('every call in flight is answered exactly once while the hub is started again twenty times', HEAVY, async () => {
    await using shop = new Workshop()
    const first = await shop.hub()
    await post(first.state as never, 'project.add', { id: 'prj', name: 'prj' })
    await post(first.state as never, 'task.add', { id: 'tsk', project_id: 'prj', title: 'tsk' })
    const bridges = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const bridge = shop.bridge()
        await bridge.initialize()
        return bridge
      }),
    )
    const stop = new AbortController()
    const asked: string[] = []
    const load = bridges.map(async (bridge, index) => {
      for (let count = 0; !stop.signal.aborted; count++) {
        const progress = `${index}-${count}`
        asked.push(progress)
        const [write, read] = await Promise.all([
          bridge.call('save_context', { task_id: 'tsk', progress }),
          bridge.call('get_task', { task_id: 'tsk' }),
        ])
        expect({ progress, write: write.ok, read: read.ok, text: write.ok ? '' : write.text }).toEqual({
          progress,
          write: true,
          read: true,
          text: '',
        })
      }
    })
    const ports = new Set([first.state?.url])
    for (let round = 0; round < 20; round++) {
      const count = asked.length
      await until(() => asked.length > count + 4)
      await shop.stopHub()
      // On a slow machine a bridge may start the next one before us: that is as good.
      expect([undefined, 75]).toContain((await shop.hub()).exit?.code)
      ports.add((await shop.servingHub()).url)
    }
    stop.abort()
    await Promise.all(load)
    expect(ports.size).toBeGreaterThan(15)
    for (const bridge of bridges) {
      expect([...bridge.answers.values()].filter(times => times !== 1)).toEqual([])
      expect(bridge.noise).toEqual([])
      expect((await bridge.close()).code).toBe(0)
    }
    const { body } = await post(await shop.servingHub(), 'hub.status', {})
    // One event for each write, and those of the seed.
    expect(body['last_event']).toBe(asked.length + 2)
    await shop.stopHub()
    await shop.allGone()
  })

  test('fifty of them go when their clients go, however those go', HEAVY, async () => {
    await using shop = new Workshop()
    const hub = await shop.hub()
    const parents = Array.from({ length: 17 }, () => withParent(shop))
    const bridges = Array.from({ length: 33 }, () => shop.bridge())
    await Promise.all(bridges.map(bridge => bridge.initialize()))
    await until(() => bridgesOf(shop).length === 50)
    await until(async () => {
      const { body } = await post(hub.state as never, 'hub.status', {})
      return body['connections'] === 50
    })

    for (const parent of parents) parent.kill('SIGKILL')
    for (const bridge of bridges.slice(0, 17)) bridge.child.stdin?.end()
    await until(() => bridgesOf(shop).length === 16)

    // The rest without a hub, and in the middle of a call.
    for (const bridge of bridges.slice(17)) void bridge.request('tools/call', { name: 'health_check', arguments: {} })
    await hub.kill()
    for (const [index, bridge] of bridges.slice(17).entries()) {
      if (index % 2) bridge.child.stdin?.end()
      else bridge.child.kill('SIGTERM')
    }
    const ends = await Promise.all(bridges.map(bridge => bridge.ended))
    expect(ends.filter(({ code, signal }) => code !== 0 || signal !== null)).toEqual([])
    // One of them may have begun to start a hub before it went.
    await until(() => shop.processes().every(({ command }) => command.includes('hub.js')))
    if (shop.processes().length > 0) await shop.stopHub()
    await shop.allGone()
  })

  test('stdout carries JSON-RPC alone, whatever else happens in the process', async () => {
    await using shop = new Workshop()
    const noise = path.join(shop.home, 'noise.cjs')
    // It waits until the bridge has taken stdout for itself: output from before our program starts cannot be held back.
    writeFileSync(
      noise,
      `const { write } = process.stdout
       const timer = setInterval(() => {
         if (process.stdout.write === write) return
         console.log('log'); console.info('info'); console.error('error'); console.table([1]); console.dir({})
         process.stdout.write('raw')
         process.emitWarning('careful')
         if (process.env.BOOM && process.uptime() > 1.5) throw new Error('boom')
       }, 20)
       timer.unref()`,
    )
    const env = {
      NODE_DEBUG: 'http,net,stream,timer,child_process',
      NODE_OPTIONS: `--trace-warnings --require ${noise}`,
      LOG_LEVEL: '3',
    }
    const bridge = shop.bridge(shop.db(), env)
    await bridge.initialize()
    await until(async () => {
      expect((await bridge.call('health_check')).ok).toBe(true)
      return bridge.messages.length > 50
    })
    const end = await bridge.close()
    expect(end.code).toBe(0)
    expect(bridge.noise).toEqual([])
    expect(end.stderr).toContain('careful')
    expect(end.stderr).toContain('raw')

    const doomed = shop.bridge(shop.db(), { ...env, BOOM: '1' })
    await doomed.initialize()
    const crash = await doomed.ended
    expect(crash.code).toBe(70)
    expect(crash.stderr).toContain('boom')
    expect(doomed.noise).toEqual([])
    await shop.stopHub()
    await shop.allGone()
  })
})

function bridgesOf(shop: Workshop): { pid: number }[] {
  return shop.processes().filter(({ command }) => /^\S*node \S*bridge\.js/.test(command))
}

/** A bridge below a shell, whose stdin stays open when the shell is killed. */
function withParent(shop: Workshop) {
  const bridge = shop.spawnShell(`exec 3<&0; "$0" "$1" --db "$2" <&3 & wait`, [
    path.join(shop.dist, 'bridge.js'),
    shop.db(),
  ])
  void ended(bridge)
  return bridge
}

/** Every file but the logs. */
function fingerprints(shop: Workshop): Record<string, string> {
  const names = readdirSync(shop.home, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.endsWith('.log'))
    .map(entry => path.join(entry.parentPath, entry.name))
  return Object.fromEntries(
    names.map(name => [name, createHash('sha256').update(readFileSync(name)).digest('hex')] as const),
  )
}
