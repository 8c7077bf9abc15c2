import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LaunchError } from '#kernel/processes/launch.ts'
import { isRunning, markedProcesses, until } from '#test/scripted.ts'
import { TestViewer, TerminalShop, typeIn } from '#test/terminals.ts'
import { DIST } from '../../../scripts/sources.js'
import { HOST_LOG } from './host-files.ts'
import type { HostTerminals } from './host-terminals.ts'
import { TerminalError, type TerminalExit } from './terminals.ts'

type Written = { source: string; expected: string }

const exitOf = (terminals: HostTerminals, id: string): Promise<TerminalExit> =>
  new Promise(resolve => {
    const stop = terminals.onExit((which, exit) => {
      if (which !== id) return
      stop()
      resolve(exit)
    })
  })

async function screenWith(terminals: HostTerminals, id: string, text: string): Promise<string[]> {
  for (;;) {
    const { lines } = await terminals.screen(id)
    if (lines.some(line => line.includes(text))) return lines
    await pause(20)
  }
}

describe.runIf(process.platform === 'linux')('a terminal', () => {
  test('shows what its program writes, takes input, and tells how it ended', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('printf "\\033]0;名前\\007"; echo ready; read line; echo "got <$line>"; exit 7')
    const record = await hub.open(options)
    using viewer = await TestViewer.at(hub, options.id)
    await viewer.sees('ready')
    const ended = exitOf(hub, options.id)
    await typeIn(hub, options.id, 'こんにちは\r')
    expect(await ended).toEqual({ code: 7, signal: undefined })
    expect(await viewer.closed).toBe(1000)
    expect(viewer.text).toContain('got <こんにちは>')
    expect(viewer.exits).toEqual([{ type: 'exit', code: 7, signal: null, lost: false }])
    expect(await hub.list()).toEqual([{ id: options.id, record, exit: { code: 7, signal: undefined } }])
    const screen = await hub.screen(options.id)
    expect(screen).toMatchObject({ title: '名前', alternate: false, typedMs: null })
    expect(screen.lines).toHaveLength(24)
    expect(screen.lines).toContain('got <こんにちは>')
    expect(fs.readFileSync(options.logFile, 'utf8')).toContain('got <こんにちは>')
    await hub.forget(options.id)
    expect(await hub.list()).toEqual([])
  })

  test('is a real one: its own controlling terminal, of the given size, with the given environment alone', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const script = 'tty; stty size; tty </dev/tty; env | sort; ls -l /proc/self/fd | grep -c "/dev/p"; echo done'
    const options = shop.terminal(script, { cols: 101, rows: 33, env: { PATH: '/usr/bin:/bin', A: 'b c' } })
    await hub.open(options)
    await until(() => fs.readFileSync(options.logFile, 'utf8').includes('done'))
    const lines = fs.readFileSync(options.logFile, 'utf8').split('\r\n')
    expect(lines[0]).toMatch(/^\/dev\/pts\/\d+$/)
    expect(lines[1]).toBe('33 101')
    expect(lines[2]).toBe('/dev/tty')
    const env = lines.slice(3, lines.indexOf('done') - 1).filter(line => !/^(PWD|_|OLDPWD|SHLVL)=/.test(line))
    expect(env).toEqual(['A=b c', 'PATH=/usr/bin:/bin', 'TERM=xterm-256color', `TORYO_MARK=${options.marker}`])
  })

  test('changes its size for the program and for all viewers', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('trap "stty size" WINCH; echo ready; while :; do sleep 0.05; done')
    await hub.open(options)
    using one = await TestViewer.at(hub, options.id)
    using two = await TestViewer.at(hub, options.id)
    await two.sees('ready')
    one.resize(120, 40)
    await two.sees('40 120')
    expect(two.sizes).toEqual(['120x40'])
    expect((await hub.screen(options.id)).lines).toHaveLength(40)
  })

  test('is as large as the window of whoever used it last', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('cat')
    await hub.open(options)
    using one = await TestViewer.at(hub, options.id, { size: { cols: 110, rows: 40 } })
    expect(one.screens).toMatchObject([{ cols: 110, rows: 40 }])
    using two = await TestViewer.at(hub, options.id)
    one.resize(100, 30)
    await until(() => one.sizes.length === 1)
    two.resize(90, 20)
    await until(() => one.sizes.length === 2)
    one.type('x')
    await until(() => two.sizes.length === 3)
    expect(two.sizes).toEqual(['100x30', '90x20', '100x30'])
  })

  test.each([
    ['a folder that is not there', { cwd: '/nowhere/at/all' }, 'no-folder'],
    ['a program that is not there', { program: '/nowhere/at/all' }, 'no-program'],
    ['a log that cannot be made', { logFile: '/nowhere/at/all.log' }, 'refused'],
  ])('is refused with %s, and nothing is kept of it', async (_name, changes, problem) => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const error = await hub.open(shop.terminal('true', changes)).catch(error => error as Error)
    expect(error).toBeInstanceOf(LaunchError)
    expect(error).toMatchObject({ problem })
    expect(await hub.list()).toEqual([])
  })

  test('cannot have the name of one that runs, but of one that has ended', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('cat')
    await hub.open(options)
    const again = shop.terminal('echo second', { id: options.id })
    await expect(hub.open(again)).rejects.toMatchObject({ problem: 'taken' })
    await hub.stop(options.id)
    await hub.open(again)
    await screenWith(hub, options.id, 'second')
  })

  test('that nobody knows is named as such', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    for (const ask of [
      () => hub.screen('tab_none'),
      () => typeIn(hub, 'tab_none', 'x'),
      () => TestViewer.at(hub, 'tab_none'),
      () => hub.stop('tab_none'),
    ]) {
      const error = await ask().then(
        () => undefined,
        cause => cause as Error,
      )
      expect(error).toBeInstanceOf(TerminalError)
      expect(error).toMatchObject({ problem: 'no-terminal' })
    }
  })
})

describe.runIf(process.platform === 'linux')('the end of a program', () => {
  // Write and out, again and again: what the system had not handed over yet must still arrive. It holds some kilobytes for a
  // terminal, and that is what could be lost, so most write ten times that; each tenth round writes a megabyte.
  test('loses nothing of the output, two hundred times', { timeout: 240_000 }, async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const [short, long] = [2000, 20_000].map(lines => {
      const source = shop.file(`${lines} lines`)
      const text = Array.from({ length: lines }, (_, at) => `${String(at).padStart(50, '-')}\n`).join('')
      fs.writeFileSync(source, `${text}END`)
      return { source, expected: `${text.replaceAll('\n', '\r\n')}END` }
    }) as [Written, Written]
    expect(long.expected.length).toBeGreaterThan(1_000_000)
    for (let round = 0; round < 50; round++) {
      const { source, expected } = round % 10 === 0 ? long : short
      const batch = Array.from({ length: 4 }, () => shop.terminal('', { program: '/bin/cat', args: [source] }))
      const ends = batch.map(({ id }) => exitOf(hub, id))
      await Promise.all(batch.map(options => hub.open(options)))
      using viewer = await TestViewer.at(hub, batch[0]?.id ?? '')
      expect(await Promise.all(ends)).toEqual(batch.map(() => ({ code: 0, signal: undefined })))
      for (const { id, logFile } of batch) {
        // Not toBe: a diff of two megabytes is of no use.
        expect(fs.readFileSync(logFile, 'utf8') === expected).toBe(true)
        fs.rmSync(logFile)
        await hub.forget(id)
      }
      await viewer.closed
      expect(viewer.text.endsWith('END')).toBe(true)
    }
  })

  test('takes along what it left behind', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('(setsid sleep 1000 &) ; (trap "" HUP TERM; sleep 1000) & echo left; exit 0')
    const ended = exitOf(hub, options.id)
    await hub.open(options)
    expect(await ended).toEqual({ code: 0, signal: undefined })
    expect(markedProcesses(options.marker)).toEqual([])
  })

  test('comes by the ladder when it is stopped, for all who ask, with the last words kept', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const polite = shop.terminal('trap "echo bye; exit 3" HUP; echo ready; while :; do sleep 0.05; done')
    const stubborn = shop.terminal('trap "" HUP TERM; echo ready; while :; do sleep 0.05; done')
    for (const options of [polite, stubborn]) {
      await hub.open(options)
      await screenWith(hub, options.id, 'ready')
    }
    const [first, again, killed] = await Promise.all([hub.stop(polite.id), hub.stop(polite.id), hub.stop(stubborn.id)])
    expect(first).toEqual({ code: 3, signal: undefined })
    expect(again).toEqual(first)
    expect(await hub.stop(polite.id)).toEqual(first)
    expect(killed).toEqual({ code: undefined, signal: 'SIGKILL' })
    expect(fs.readFileSync(polite.logFile, 'utf8')).toContain('bye')
    await expect(typeIn(hub, polite.id, 'x')).rejects.toMatchObject({ problem: 'ended' })
  })

  test('is seen by one who attaches later, with the last screen', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('echo the last words; kill -9 $$')
    const ended = exitOf(hub, options.id)
    await hub.open(options)
    await ended
    using viewer = await TestViewer.at(hub, options.id)
    expect(viewer.text).toContain('the last words')
    await viewer.closed
    expect(viewer.exits).toEqual([{ type: 'exit', code: null, signal: 'SIGKILL', lost: false }])
  })

  test('is not held up by output that Ctrl-S has stopped', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('echo ready; read line; exit 5')
    const ended = exitOf(hub, options.id)
    await hub.open(options)
    await screenWith(hub, options.id, 'ready')
    await typeIn(hub, options.id, '\x13\r')
    expect(await ended).toEqual({ code: 5, signal: undefined })
  })
})

describe.runIf(process.platform === 'linux')('viewers', () => {
  test('sees the scrollback and the modes of a full-screen program, then what comes', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal(
      'seq 1 2000; printf "\\033[?1049h\\033[?25l\\033[?1000h\\033[?1006h\\033[?2004h\\033[2;3HFULL"; read x; printf "NEXT"; cat',
    )
    await hub.open(options)
    await screenWith(hub, options.id, 'FULL')
    using viewer = await TestViewer.at(hub, options.id)
    const shown = viewer.text
    expect(viewer.screens).toMatchObject([{ cols: 80, rows: 24, resync: false }])
    for (const part of ['2000', '\x1b[?1049h', '\x1b[?25l', '\x1b[?1006h', '\x1b[?2004h', 'FULL'])
      expect(shown).toContain(part)
    expect(shown).not.toContain('\r\n950\r\n')
    expect(shown).toContain('\r\n1050\r\n')
    viewer.type('\r')
    await viewer.sees('NEXT')
    expect(await hub.screen(options.id)).toMatchObject({ alternate: true, bracketedPaste: true })
    expect((await hub.screen(options.id)).typedMs).not.toBeNull()
  })

  test('misses nothing and sees nothing twice, whenever they come', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo "<$i>"; done; sleep 1000', {
      rows: 100,
    })
    await hub.open(options)
    const viewers: TestViewer[] = []
    for (let at = 0; at < 20; at++) {
      viewers.push(await TestViewer.at(hub, options.id))
    }
    for (const viewer of viewers) {
      await viewer.sees('<3000>')
      const numbers = [...viewer.text.matchAll(/<(\d+)>/g)].map(match => Number(match[1]))
      const first = numbers[0] ?? 0
      expect(numbers).toEqual(Array.from({ length: 3001 - first }, (_, at) => first + at))
      viewer[Symbol.dispose]()
    }
  })

  test('types what they type, and nothing that their terminal answers by itself', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('stty raw -echo; printf READY; exec cat -v')
    await hub.open(options)
    using viewer = await TestViewer.at(hub, options.id)
    await viewer.sees('READY')
    viewer.type('a\x1b[?1;2cb\x1b[12;40Rc\x1b[0nd\x1bP1$r0m\x1b\\e\x1b]11;rgb:0/0/0\x07f\x1b[?2026;2$yg')
    viewer.type('\x1b[?62')
    viewer.type(';4ch\x1b[Ai日本\x1b')
    await viewer.sees('^[[Ai')
    await until(() => viewer.text.endsWith('^['))
    expect(viewer.text.slice(viewer.text.indexOf('READY') + 5)).toBe('abcdefgh^[[AiM-fM-^WM-%M-fM-^\\M-,^[')
  })

  test('T11: answers no question of a program with their terminal: it gets one answer, however many viewers there are', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const questions =
      '\\033[c\\033[6n\\033P$q m\\033\\\\\\033]52;c;?\\007\\033[21t\\033]8;;http://x\\007y\\033]8;;\\007'
    const options = shop.terminal(`stty raw -echo; printf '${questions}READY'; exec cat -v`)
    await hub.open(options)
    const three = await Promise.all(Array.from({ length: 3 }, () => TestViewer.at(hub, options.id)))
    for (const viewer of three) {
      await viewer.sees('READY')
      viewer.type('\x1b[?1;2c\x1b[1;2R\x1bP1$r0m\x1b\\\x1b]52;c;c2VjcmV0\x07\x1b]lstolen\x1b\\')
      await viewer.heard()
    }
    three[0]?.type('END')
    await until(() => fs.readFileSync(options.logFile, 'utf8').includes('END'))
    const log = fs.readFileSync(options.logFile, 'utf8')
    const told = (sign: string) => log.split('READY').at(-1)?.split(sign).length ?? 0
    expect(told('^[[?1;2c')).toBe(2)
    expect(told('R')).toBeLessThanOrEqual(2)
    expect(told('$r')).toBeLessThanOrEqual(2)
    for (const secret of ['c2VjcmV0', 'stolen']) expect(log).not.toContain(secret)
    for (const viewer of three) viewer[Symbol.dispose]()
  })

  test('is not needed for a program to be told what terminal it has', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const script =
      'stty raw -echo; printf "\\033[c"; head -c 7 | cat -v; printf "\\033[5;9H\\033[6n"; head -c 6 | cat -v; echo OK'
    const options = shop.terminal(script)
    await hub.open(options)
    using one = await TestViewer.at(hub, options.id)
    using _two = await TestViewer.at(hub, options.id)
    await one.sees('OK')
    expect(one.text).toContain('^[[?1;2c')
    expect(one.text).toContain('^[[5;9R')
  })
})

describe.runIf(process.platform === 'linux')('the pty-host', () => {
  test('keeps terminals for the next hub, with their screen, and tells it what happened meanwhile', async () => {
    await using shop = new TerminalShop()
    const first = await shop.hub()
    const options = shop.terminal('echo before; read a; echo "after $a"; cat')
    const record = await first.open(options)
    const gone = shop.terminal('read line; echo ended alone; exit 4')
    await first.open(gone)
    await screenWith(first, options.id, 'before')
    await typeIn(first, gone.id, '\r')
    await first.dispose('leave')
    await until(() => markedProcesses(gone.marker).length === 0)
    const next = await shop.hub()
    for (;;) {
      const listed = await next.list()
      if (listed.find(({ id }) => id === gone.id)?.exit) break
      await pause(20)
    }
    expect(await next.list()).toEqual([
      { id: options.id, record, exit: undefined },
      { id: gone.id, record: expect.objectContaining({ marker: gone.marker }), exit: { code: 4, signal: undefined } },
    ])
    using viewer = await TestViewer.at(next, options.id)
    expect(viewer.text).toContain('before')
    viewer.type('つづき\r')
    await viewer.sees('after つづき')
  })

  test('that closes the connection while it is greeted is greeted again', async () => {
    await using shop = new TerminalShop()
    // As it does when it was not answered in time, on a machine with much else to do.
    const program = shop.file('hasty-host.mjs')
    fs.writeFileSync(
      program,
      `import net from 'node:net'
       const { createServer } = net
       let hasty = 2
       net.createServer = serve => createServer(connection => (hasty-- > 0 ? connection.destroy() : serve(connection)))
       await import(${JSON.stringify(path.join(DIST, 'pty-host.js'))})`,
    )
    const hub = await shop.hub({ program })
    const options = shop.terminal('echo served; cat')
    await hub.open(options)
    await screenWith(hub, options.id, 'served')
  })

  test('goes on after a mistake of its own, and its log tells of it', async () => {
    await using shop = new TerminalShop()
    const program = shop.file('faulty-host.mjs')
    const go = shop.file('go')
    fs.writeFileSync(
      program,
      `import fs from 'node:fs'
       await import(${JSON.stringify(path.join(DIST, 'pty-host.js'))})
       const watch = setInterval(() => {
         if (!fs.existsSync(${JSON.stringify(go)})) return
         clearInterval(watch)
         void Promise.reject(new Error('a promise that nobody waits for'))
         throw new Error('a mistake of ours')
       }, 10)`,
    )
    const hub = await shop.hub({ program })
    const options = shop.terminal('echo ready; cat')
    await hub.open(options)
    fs.writeFileSync(go, '')
    const log = path.join(shop.folder, HOST_LOG)
    await until(() => ['a promise that nobody', 'a mistake'].every(text => fs.readFileSync(log, 'utf8').includes(text)))
    await typeIn(hub, options.id, 'still here\r')
    await screenWith(hub, options.id, 'still here')
  })

  test('that is killed takes no terminal with it unseen: all are ended and told, and a new host serves new ones', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const stubborn = shop.terminal('trap "" HUP; echo ready; while :; do sleep 0.05; done')
    const usual = shop.terminal('cat')
    for (const options of [stubborn, usual]) await hub.open(options)
    await screenWith(hub, stubborn.id, 'ready')
    using viewer = await TestViewer.at(hub, usual.id)
    const told = Promise.all([exitOf(hub, stubborn.id), exitOf(hub, usual.id)])
    const { record } = shop.host()
    process.kill(record.pid, 'SIGKILL')
    const lost = { code: undefined, signal: undefined, lost: true }
    expect(await told).toEqual([lost, lost])
    // Its viewers are gone; one that asks the hub again gets the exit.
    expect(await viewer.closed).toBe(1006)
    using again = await TestViewer.at(hub, usual.id)
    expect(again.exits).toEqual([{ type: 'exit', code: null, signal: null, lost: true }])
    // Also when the terminal was forgotten; but not for ever.
    await hub.forget(usual.id)
    using late = await TestViewer.at(hub, usual.id)
    expect(late.exits).toMatchObject([{ lost: true }])
    expect((await hub.list()).map(({ id }) => id)).toEqual([stubborn.id])
    for (const { marker } of [stubborn, usual]) expect(markedProcesses(marker)).toEqual([])
    expect(shop.hubLog()).toContain('the pty-host died')
    expect(await hub.stop(stubborn.id)).toEqual(lost)

    const after = shop.terminal('echo again; cat')
    await hub.open(after)
    await screenWith(hub, after.id, 'again')
    expect(shop.host().record.pid).not.toBe(record.pid)
    using asked = await TestViewer.at(hub, stubborn.id)
    expect(asked.exits).toMatchObject([{ lost: true }])
  })

  test('that died together with its hub is tidied up after by the next hub', async () => {
    await using shop = new TerminalShop()
    const first = await shop.hub()
    const options = shop.terminal('trap "" HUP; echo ready; while :; do sleep 0.05; done')
    await first.open(options)
    await screenWith(first, options.id, 'ready')
    await first.dispose('leave')
    process.kill(shop.host().record.pid, 'SIGKILL')
    const next = await shop.hub()
    expect(await next.list()).toMatchObject([{ id: options.id, exit: { lost: true } }])
    expect(markedProcesses(options.marker)).toEqual([])
    expect(fs.readdirSync(shop.folder)).toEqual(['host.log'])
  })

  test('ends with its terminals when the hub is stopped', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('cat')
    await hub.open(options)
    const { record } = shop.host()
    const ended = exitOf(hub, options.id)
    await hub.dispose('end')
    expect(await ended).toEqual({ code: undefined, signal: 'SIGHUP' })
    expect(isRunning(record.pid)).toBe(false)
    expect(markedProcesses(options.marker)).toEqual([])
    await expect(hub.open(shop.terminal('true'))).rejects.toMatchObject({ problem: 'no-host' })
  })

  test('without a hub ends by itself once nothing runs in it, and the next hub still learns how that ended', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub({ hostArgs: ['--empty-ms', '1'] })
    const go = shop.file('go')
    const options = shop.terminal(`echo ready; while [ ! -e ${go} ]; do sleep 0.05; done; exit 6`)
    await hub.open(options)
    await screenWith(hub, options.id, 'ready')
    const { record } = shop.host()
    await hub.dispose('leave')
    expect(isRunning(record.pid)).toBe(true)
    fs.writeFileSync(go, '')
    await until(() => !isRunning(record.pid))
    const next = await shop.hub()
    expect(await next.list()).toMatchObject([{ id: options.id, exit: { code: 6 } }])
  })

  test('that no hub has come back to for too long ends its programs', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub({ hostArgs: ['--orphan-ms', '200'] })
    const options = shop.terminal('cat')
    await hub.open(options)
    const { record } = shop.host()
    await hub.dispose('leave')
    await until(() => !isRunning(record.pid))
    expect(markedProcesses(options.marker)).toEqual([])
  })

  test('tells how a program ended, and ends itself, although it can write nothing down', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('echo ready; read line; exit 8')
    await hub.open(options)
    await screenWith(hub, options.id, 'ready')
    const { record, socket } = shop.host()
    // In place of a full disk: neither can be replaced or removed now.
    const taken = [path.join(shop.folder, 'terminals.json'), socket]
    for (const file of taken) {
      fs.rmSync(file)
      fs.mkdirSync(path.join(file, 'in the way'), { recursive: true })
    }
    const ended = exitOf(hub, options.id)
    await typeIn(hub, options.id, '\r')
    expect(await ended).toEqual({ code: 8, signal: undefined })
    await hub.dispose('leave')
    await until(() => !isRunning(record.pid))
    for (const file of taken) fs.rmSync(file, { recursive: true })
  })

  test('goes at once when the hub leaves and nothing runs', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal('true')
    const ended = exitOf(hub, options.id)
    await hub.open(options)
    const { record } = shop.host()
    await ended
    await hub.dispose('leave')
    await until(() => !isRunning(record.pid))
  })
})

describe.runIf(process.platform === 'linux')('a program that does not read', () => {
  test('takes what fits, is spared what is too much, and disturbs nobody', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const deaf = shop.terminal('stty raw -echo; echo ready; sleep 1000')
    const other = shop.terminal('cat')
    await hub.open(deaf)
    await hub.open(other)
    await screenWith(hub, deaf.id, 'ready')
    using viewer = await TestViewer.at(hub, deaf.id)
    for (let at = 0; at < 5; at++) viewer.type('x'.repeat(50_000))
    await viewer.heard()
    expect(viewer.notices).toEqual([])
    const waiting = typeIn(hub, deaf.id, 'x').catch(error => error as TerminalError)
    for (let at = 0; at < 6; at++) viewer.type('x'.repeat(50_000))
    await until(() => viewer.notices.length > 0)
    expect(viewer.notices[0]).toBe('input-refused')
    await until(() => shop.hubLog().includes("a person's input was not taken"))
    await typeIn(hub, other.id, 'not disturbed\r')
    await screenWith(hub, other.id, 'not disturbed')
    // A waiting caller hears when the program ends.
    await hub.stop(deaf.id)
    expect(await waiting).toMatchObject({ problem: 'ended' })
  })

  test('and asks its terminal without end fills nobody’s memory', async () => {
    await using shop = new TerminalShop()
    const hub = await shop.hub()
    const options = shop.terminal(
      'stty raw -echo; yes "$(printf "\\033[c\\033[6n\\033[5n")" | head -c 3000000; echo asked; sleep 1000',
    )
    await hub.open(options)
    await screenWith(hub, options.id, 'asked')
    const { record } = shop.host()
    const resident = Number(/VmRSS:\s*(\d+)/.exec(fs.readFileSync(`/proc/${record.pid}/status`, 'utf8'))?.[1])
    expect(resident).toBeLessThan(250_000)
  })
})
