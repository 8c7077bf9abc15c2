// Reported → verified: real files, real git, real processes.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { isAlive } from '#system/processes.ts'
import { databases, TestClock, testHub } from '#test/hub.ts'
import { eventsOf, rowsOf, tend } from '#test/scene.ts'
import { Repo } from '#test/git.ts'
import { inShop, newTask, put, reached, report, rows, type Shop } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const sh = (script: string) => ['sh', '-c', script]

/** Its index names a file outside of it, as no git writes it. */
function outsideOf(folder: string): void {
  const work = new Repo(folder)
  put(folder, 'zz/x', 'x')
  work.git('add', '-A')
  const index = join(work.git('rev-parse', '--absolute-git-dir').trim(), 'index')
  const bytes = readFileSync(index)
  bytes.write('../x', bytes.indexOf('zz/x'))
  const body = bytes.subarray(0, -20)
  writeFileSync(index, Buffer.concat([body, createHash('sha1').update(body).digest()]))
}

test.each(databases)('a report is taken as it is, checked and verified; a person accepts it (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, repo, path } = shop
    await hub.api('project.check.add', {
      project_id,
      name: 'test',
      command: sh('grep -q shop README; echo $TORYO_TASK $CI; pwd'),
    })
    put(path, 'src/cart.ts', 'export const cart = []\n')
    put(path, 'src/cart.test.ts', 'test\n')
    put(path, 'ignored/cache', 'x')
    put(path, '.env', 'KEY=1')
    put(path, 'README', 'shop, with a cart\n')
    await report(shop)
    expect(await reached(hub, 'review')).toMatchObject({ status: 'done', stage: 'review' })
    const [snapshot] = await rows(hub, 'snapshots')
    expect(snapshot).toMatchObject({
      cause: 'report',
      result: 'success',
      summary: 'Done',
      error: null,
      changed_files: 3,
    })
    expect(JSON.parse(String(snapshot?.['held']))).toEqual([{ path: '.env', why: 'secret', bytes: 5 }])
    expect(JSON.parse(String(snapshot?.['flagged']))).toEqual([
      // The check names it.
      { path: 'README', why: 'check' },
      { path: 'src/cart.test.ts', why: 'test' },
    ])
    const files = repo.git('ls-tree', '-r', '--name-only', `refs/toryo/snapshots/${String(snapshot?.['id'])}`)
    expect(files.trim().split('\n')).toEqual(['.gitignore', 'README', 'src/cart.test.ts', 'src/cart.ts'])
    const [evidence] = await rows(hub, 'evidence')
    expect(evidence).toMatchObject({ name: 'test', outcome: 'passed', exit_code: 0, process: null })
    expect(evidence?.['tree']).toBe(snapshot?.['tree'])
    expect(evidence?.['tail']).toBe(`shop-1 true\n${path}`)
    expect(readFileSync(String(evidence?.['log_path']), 'utf8')).toContain('shop-1 true')
    const told = await rowsOf(hub)
    expect(eventsOf(told, 'task.verified')).toHaveLength(1)
    expect(eventsOf(told, 'check.ended')).toMatchObject([{ check: 'test', outcome: 'passed' }])
    expect(told['slots']).toEqual([])
  })
})

test.each(databases)(
  'workspaces that cannot be read hold up no other: each is tried a few times, then a person is told (%s)',
  async database => {
    const begun: string[] = []
    const clock = new TestClock()
    await inShop({ database, clock, thread: { reached: step => void begun.push(step) } }, async shop => {
      const { hub, passkey } = shop
      const broken = [shop.path, await newTask(shop, 'tsk_shelf')]
      for (const path of broken) outsideOf(path)
      const fine = await newTask(shop, 'tsk_fine')
      put(fine, 'fine', 'x')
      for (const _ of [1, 2, 3]) await report({ hub, passkey })
      await reached(hub, 'review', 'tsk_fine')
      for (const id of ['tsk_cart', 'tsk_shelf']) {
        const blocked = await reached(hub, 'blocked', id)
        expect(blocked.blocked_reason).toContain('../x is not a path inside of a folder')
      }
      const { items } = await hub.api('inbox.list', {})
      expect(items.filter(({ kind }) => kind === 'blocked')).toHaveLength(2)
      const { findings } = await hub.api('doctor.run', {})
      expect(findings.filter(({ check }) => check === 'snapshot')).toMatchObject([
        { level: 'warn', message: expect.stringContaining('of shop-1 could not be read: ../x is not') },
        { message: expect.stringContaining('of shop-2 could not be read') },
      ])
      // However long it goes on, and after a restart.
      for (const _ of Array.from({ length: 20 })) {
        clock.advance(60_000)
        await tend(hub)
      }
      await hub.stop()
      await using next = await testHub({
        target: shop.target,
        clock,
        thread: { reached: step => void begun.push(step) },
      })
      await tend(next)
      expect((await next.api('task.show', { task_id: 'tsk_shelf' })).stage).toBe('blocked')
      expect(begun.filter(step => step === 'snapshot-begun')).toHaveLength(3)
    })
  },
)

test('whatever goes wrong again and again: it is tried later and later, and then is for a person', async () => {
  const clock = new TestClock()
  let begun = 0
  const fails = (step: string) => {
    if (step !== 'snapshot-begun') return
    begun += 1
    throw new Error('No such luck')
  }
  await inShop({ clock, thread: { reached: fails } }, async shop => {
    const { hub, passkey } = shop
    await newTask(shop, 'tsk_shelf')
    for (const _ of [1, 2]) await report({ hub, passkey })
    await until(() => begun === 2)
    // Asked to look as often as one likes.
    for (const _ of Array.from({ length: 20 })) await tend(hub)
    expect(begun).toBe(2)
    for (const id of ['tsk_cart', 'tsk_shelf'])
      await until(async () => {
        clock.advance(1000)
        await tend(hub)
        return (await hub.api('task.show', { task_id: id })).blocked_reason?.includes('No such luck.')
      })
    expect(begun).toBe(10)
  })
})

test('a key under a harmless name that was committed and taken away again is in nothing that is merged', async () => {
  await inShop({}, async shop => {
    const { hub, repo, path } = shop
    const work = new Repo(path)
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n'
    put(path, 'notes.txt', key)
    put(path, 'kept.txt', key)
    work.commit('with keys')
    work.git('rm', '-q', 'notes.txt')
    put(path, 'cart', 'x')
    work.commit('without one')
    await report(shop)
    const { snapshots } = await reached(hub, 'review')
    expect(snapshots[0]?.held).toEqual([
      { path: 'kept.txt', why: 'secret', bytes: key.length },
      { path: 'notes.txt', why: 'secret', bytes: key.length },
    ])
    await hub.api('task.verdict', { task_id: 'tsk_cart', decision: 'accept', commit: snapshots[0]?.commit ?? '' })
    await reached(hub, 'merged')
    expect(repo.git('show', 'main:cart')).toBe('x')
    expect(repo.git('log', '--format=', '--name-only', 'main')).not.toMatch(/notes|kept/)
    const [verdict] = await rows(hub, 'verdicts')
    expect(verdict).toMatchObject({ commit_id: snapshots[0]?.commit })
  })
})

test('a key is held back that is far down in a file, in UTF-16 or behind a NUL, in the folder and in commits that took it away', async () => {
  await inShop({}, async shop => {
    const { hub, path, repo } = shop
    const work = new Repo(path)
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n'
    // Across two of the parts in which it is read.
    const far = `${'x'.repeat(256 * 1024 - 10)}${key}`
    const forms: [string, string | Buffer][] = [
      ['far', far],
      ['wide', Buffer.from(`\ufeff${key}`, 'utf16le')],
      ['nul', `\0${key}`],
    ]
    for (const [name, bytes] of forms) writeFileSync(join(path, `${name}.gone`), bytes)
    work.commit('with keys')
    work.git('rm', '-q', '*.gone')
    put(path, 'cart', 'x')
    work.commit('without')
    for (const [name, bytes] of forms) writeFileSync(join(path, `${name}.txt`), bytes)
    await report(shop)
    const { snapshots } = await reached(hub, 'review')
    const names = forms.flatMap(([name]) => [`${name}.gone`, `${name}.txt`]).sort()
    expect(snapshots[0]?.held.map(one => one.path).sort()).toEqual(names)
    await hub.api('task.verdict', { task_id: 'tsk_cart', decision: 'accept', commit: snapshots[0]?.commit ?? '' })
    await reached(hub, 'merged')
    expect(repo.git('log', '--format=', '--name-only', 'main')).not.toMatch(/gone|txt/)
  })
})

test('a failed check sends the task back with what it said, and the fourth failure in a row is for a person', async () => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    const check = { project_id, name: 'test', command: sh('echo "expected 3"; echo "got 4" >&2; exit 7') }
    await hub.api('project.check.add', check)
    await hub.api('project.check.add', { project_id, name: 'lint', command: ['false'], optional: true })
    for (const count of [1, 2, 3]) {
      put(path, 'cart', `try ${count}`)
      await report(shop)
      await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === count)
      expect(await hub.api('task.show', { task_id: 'tsk_cart' })).toMatchObject({ status: 'in_progress' })
    }
    const got = await report(shop)
    expect(got['returned']).toEqual({
      why: 'checks',
      summary: null,
      checks: [
        {
          ...{ name: 'test', command: check.command, ran_in: 'workspace' },
          ...{ outcome: 'failed', exit_code: 7, tail: 'expected 3\ngot 4' },
        },
      ],
    })
    const blocked = await reached(hub, 'blocked')
    expect(blocked.blocked_reason).toMatch(
      /^Check test failed 4 times in a row, the last time with exit code 7\. `toryo run logs shop-1 --check test` shows/,
    )
    const agent = await hub.connect()
    const session_token = await agent.signIn('agt_kim', shop.passkey, 'prj_shop')
    const opened = await agent.call('update_task_status', { task_id: 'tsk_cart', status: 'in_progress' })
    expect(opened.body).toMatchObject({ success: false, code: 'NOT_ALLOWED' })
    await agent.call('logout', { session_token })
    await agent.close()
    // The item shows the end of what it wrote, and is no question.
    const [item] = (await hub.api('inbox.list', {})).items
    expect(item).toMatchObject({ kind: 'blocked', check: { name: 'test', tail: 'expected 3\ngot 4' } })
    expect(blocked.evidence.find(({ check: name }) => name === 'test')?.evidence_id).toBe(item?.check?.evidence_id)
    // A person who sends it back grants as many again.
    await hub.api('task.move', { task_id: 'tsk_cart', status: 'in_progress' })
    await report(shop)
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 4)
  })
})

/** Its one check fails, and the work comes back. */
async function failOnce(shop: Shop): Promise<void> {
  const { hub, path } = shop
  await hub.api('project.check.add', { project_id, name: 'test', command: ['false'] })
  put(path, 'cart', 'x')
  await report(shop)
  await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 1)
}

test('the same check that fails twice on the same files is for a person', async () => {
  await inShop({}, async shop => {
    const { hub } = shop
    await failOnce(shop)
    await report(shop)
    const blocked = await reached(hub, 'blocked')
    expect(blocked.blocked_reason).toMatch(
      /^Check test failed twice on the same files: the agent reported again without/,
    )
    expect(await rows(hub, 'evidence')).toHaveLength(2)
    const { items } = await hub.api('inbox.list', {})
    expect(items).toMatchObject([{ kind: 'blocked', detail: blocked.blocked_reason }])
    const ja = await hub.fetch('/api/task.show', {
      method: 'POST',
      headers: { 'accept-language': 'ja' },
      body: JSON.stringify({ task_id: 'tsk_cart' }),
    })
    expect(((await ja.json()) as { blocked_reason: string }).blocked_reason).toContain('2 回失敗しました')
  })
})

test('failures in a row are counted however many there are', async () => {
  await inShop({}, async shop => {
    const { hub } = shop
    await failOnce(shop)
    const [snapshot] = await rows(hub, 'snapshots')
    const [evidence] = await rows(hub, 'evidence')
    const file = new Sqlite(hub.target.db)
    const add = (table: string, row: Record<string, unknown>) =>
      file.run(
        `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.keys(row)
          .map(() => '?')
          .join()})`,
        Object.values(row),
      )
    for (const at of Array.from({ length: 58 }).keys()) {
      const id = `snp_00${at + 10}`
      add('snapshots', { ...snapshot, id, at, run_id: `exe_${at}` })
      add('evidence', { ...evidence, id: `evd_00${at + 10}`, snapshot_id: id })
    }
    file.close()
    await report(shop)
    expect((await reached(hub, 'blocked')).blocked_reason).toContain('failed 60 times in a row')
  })
})

test('files that are read twice for one report are one failure', async () => {
  let folder: string | undefined
  let writes = 0
  const write = (step: string) => {
    if (step !== 'snapshot-stored' || folder === undefined) return
    put(folder, 'cart', `written later ${++writes}`)
    folder = undefined
  }
  await inShop({ thread: { reached: write } }, async shop => {
    const { hub, path } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['false'] })
    for (const count of [1, 2]) {
      folder = path
      await report(shop)
      await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === count)
    }
    expect(eventsOf(await rowsOf(hub, 'events'), 'task.returned').map(fact => fact['count'])).toEqual([1, 2])
    expect(await rows(hub, 'snapshots')).toHaveLength(4)
  })
})

test('an optional check that fails is shown, and keeps nothing', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    await shop.hub.api('project.check.add', { project_id, name: 'lint', command: ['false'], optional: true })
    await shop.hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
    put(shop.path, 'cart', 'x')
    await report(shop)
    await reached(shop.hub, 'merged')
    expect(await rows(shop.hub, 'evidence')).toMatchObject([
      { name: 'lint', outcome: 'failed', exit_code: 1 },
      { name: 'test', outcome: 'passed', merge_id: null },
      { name: 'test', outcome: 'passed', merge_id: expect.any(String) },
    ])
    expect(await rows(shop.hub, 'verdicts')).toMatchObject([{ decision: 'accept', author: 'policy' }])
  })
})

test('checks accept nothing where none is required: the work waits for a person, and says why', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path } = shop
    const isSettled = () => until(async () => (await rows(hub, 'snapshots')).every(row => row['settled_at'] !== null))
    put(path, 'cart', 'x')
    await report(shop)
    await reached(hub, 'review')
    const said = 'Checks accept work in this project, but none that is required may run'
    expect((await hub.api('task.review', { task_id: 'tsk_cart' })).remarks.join()).toContain(said)
    expect((await hub.api('task.show', { task_id: 'tsk_cart' })).remark).toContain(said)
    // An optional one proves nothing, nor does it that one was removed.
    await hub.api('project.check.add', { project_id, name: 'lint', command: ['true'], optional: true })
    await until(async () => (await rows(hub, 'evidence'))[0]?.['ended_at'])
    await isSettled()
    await hub.api('project.check.remove', { project_id, name: 'lint' })
    await isSettled()
    expect(await rows(hub, 'verdicts')).toEqual([])
    expect((await hub.api('task.show', { task_id: 'tsk_cart' })).stage).toBe('review')
    // One that is required, and passes, does.
    await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
    await reached(hub, 'merged')
    expect((await hub.api('task.show', { task_id: 'tsk_cart' })).remark).toBeNull()
  })
})

test('a check that a branch names is not run before it is trusted, and its work is not accepted by itself', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path, yard } = shop
    const checks = { test: { command: ['touch', yard.canary] } }
    put(path, '.toryo/config.json', JSON.stringify({ checks }))
    await report(shop)
    await reached(hub, 'review')
    expect(yard.sang).toBe(false)
    expect(await rows(hub, 'verdicts')).toEqual([])
    const listed = await hub.api('project.check.list', { project_id, task_id: 'tsk_cart' })
    const seen = listed.checks.map(({ name, command }) => ({ name, command }))
    await hub.api('project.check.trust', { project_id, task_id: 'tsk_cart', seen })
    await reached(hub, 'merged')
    expect(yard.sang).toBe(true)
  })
})

test('a check that writes into the tree proves nothing: it is stale, and says so', async () => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: sh('date +%N > report.xml') })
    put(path, 'cart', 'x')
    await report(shop)
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 1)
    expect(await rows(hub, 'evidence')).toMatchObject([{ outcome: 'stale', exit_code: 0 }])
    // What the check wrote is not part of what was reported.
    const [snapshot] = await rows(hub, 'snapshots')
    expect(shop.repo.git('ls-tree', '-r', '--name-only', String(snapshot?.['commit_id']))).not.toContain('report.xml')
    const got = await report(shop)
    expect(JSON.stringify(got['returned'])).toContain('Files of the tree changed while it ran')
  })
})

test('a check that hangs is ended with all that it started, when its time is over', async () => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    const command = sh('(setsid sleep 600 & echo $! > ignored/pid); echo waiting; sleep 600')
    await hub.api('project.check.add', { project_id, name: 'test', command, minutes: 0.02 })
    put(path, 'ignored/x', '')
    await report(shop)
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 1)
    expect(await rows(hub, 'evidence')).toMatchObject([{ outcome: 'timed_out' }])
    const pid = readFileSync(join(path, 'ignored/pid'), 'utf8').trim()
    expect(isAlive(Number(pid))).toBe(false)
  })
})

test('what a check leaves running without its environment, in a session of its own, does not survive it', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path, yard } = shop
    const pids = join(yard.home, 'pids')
    const left = `env -i setsid sh -c 'echo $$ >> "$0"; exec sleep 600' ${pids} >/dev/null 2>&1`
    await hub.api('project.check.add', {
      project_id,
      name: 'test',
      command: sh(`(${left} &); until [ -s ${pids} ]; do :; done`),
    })
    put(path, 'cart', 'x')
    await report(shop)
    await reached(hub, 'merged')
    expect(readFileSync(pids, 'utf8').trim().split('\n').map(Number).filter(isAlive)).toEqual([])
  })
})

test('a check that floods keeps a log that is capped, and its end as the tail', async () => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    const command = sh('yes 0123456789012345678901234567890123456789 | head -c 30000000; echo; echo the end; exit 1')
    await hub.api('project.check.add', { project_id, name: 'test', command })
    put(path, 'cart', 'x')
    await report(shop)
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 1)
    const [evidence] = await rows(hub, 'evidence')
    expect(String(evidence?.['tail'])).toMatch(/the end$/)
    expect(String(evidence?.['tail']).length).toBeLessThanOrEqual(4000)
    expect(readFileSync(String(evidence?.['log_path'])).length).toBeLessThanOrEqual(8 * 1024 * 1024)
  })
})

test('a check whose program is not there blocks the task and names it', async () => {
  await inShop({}, async shop => {
    await shop.hub.api('project.check.add', { project_id, name: 'test', command: ['no-such-program'] })
    put(shop.path, 'cart', 'x')
    await report(shop)
    const { blocked_reason } = await reached(shop.hub, 'blocked')
    expect(blocked_reason).toMatch(/^Check test could not be started: no-such-program was not found\. Fix it/)
    const body = JSON.stringify({ task_id: 'tsk_cart' })
    const inJapanese = await shop.hub.fetch('/api/task.show', {
      method: 'POST',
      body,
      headers: { 'accept-language': 'ja' },
    })
    expect(await inJapanese.json()).toMatchObject({
      blocked_reason: expect.stringMatching(/^チェック test を開始できませんでした: .*「進行中」に戻してください。$/),
    })
  })
})

test('a workspace that was deleted by hand blocks its task with a sentence', async () => {
  await inShop({}, async shop => {
    await report(shop, {}, () => rmSync(shop.path, { recursive: true }))
    const { blocked_reason } = await reached(shop.hub, 'blocked')
    expect(blocked_reason).toMatch(/^Its work was reported, but the workspace could not be read: .*Restore the folder/)
    expect(await rows(shop.hub, 'snapshots')).toMatchObject([
      { error: expect.stringContaining(shop.path), taken_at: null },
    ])
  })
})

test('work that was reported before reports were enough is checked, and waits for its verdict', async () => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    put(path, 'cart', 'x')
    await report(shop)
    await reached(hub, 'review')
    await hub.api('project.edit', { project_id: 'prj_shop', accept: 'report' })
    await hub.api('project.check.add', { project_id: 'prj_shop', name: 'later', command: ['false'] })
    await reached(hub, 'working')
  })
})

test('a person who moves such a task to done is not told that it is done', async () => {
  await inShop({}, async ({ hub, path }) => {
    rmSync(path, { recursive: true })
    await hub.api('task.move', { task_id: 'tsk_cart', status: 'done' })
    const { blocked_reason } = await reached(hub, 'blocked')
    expect(blocked_reason).toMatch(/the workspace could not be read: .*Restore the folder/)
    expect(await rows(hub, 'merges')).toEqual([])
  })
})

test('an agent that goes without a report leaves a snapshot, and its task is not checked', async () => {
  await inShop({}, async shop => {
    const { hub, path, passkey } = shop
    const agent = await hub.connect()
    const session_token = await agent.signIn('agt_kim', passkey, 'prj_shop')
    await agent.call('get_my_task', { session_token })
    put(path, 'half', 'done')
    await agent.call('logout', { session_token })
    await until(async () => (await rows(hub, 'snapshots'))[0]?.['taken_at'])
    expect(await rows(hub, 'snapshots')).toMatchObject([{ cause: 'end', result: null, changed_files: 1 }])
    expect(await hub.api('task.show', { task_id: 'tsk_cart' })).toMatchObject({ status: 'in_progress' })
  })
})

test('work reported as failed is taken and not checked; a repeated report makes no second snapshot', async () => {
  await inShop({}, async shop => {
    const { hub, path } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
    put(path, 'half', 'done')
    const agent = await hub.connect()
    const session_token = await agent.signIn('agt_kim', shop.passkey, 'prj_shop')
    await agent.call('get_my_task', { session_token })
    const said = { session_token, result: 'failed', summary: 'I could not' }
    await agent.call('report_completed', said)
    await agent.call('report_completed', said)
    await until(async () => (await rows(hub, 'snapshots'))[0]?.['taken_at'])
    expect(await rows(hub, 'snapshots')).toMatchObject([{ result: 'failed', summary: 'I could not', changed_files: 1 }])
    expect(await rows(hub, 'evidence')).toEqual([])
    expect(await hub.api('task.show', { task_id: 'tsk_cart' })).toMatchObject({ status: 'blocked' })
  })
})

test('a report of a task that was handed over meanwhile takes nothing', async () => {
  await inShop({}, async shop => {
    await report(shop, {}, () => shop.hub.api('task.assign', { task_id: 'tsk_cart', agent_id: null }).then(() => {}))
    expect(await rows(shop.hub, 'snapshots')).toEqual([])
    expect(await shop.hub.api('task.show', { task_id: 'tsk_cart' })).toMatchObject({ status: 'in_progress' })
  })
})

test('the policy report accepts at the report itself, and takes a snapshot all the same', async () => {
  await inShop({ settings: { accept: 'report' } }, async shop => {
    put(shop.path, 'cart', 'x')
    await report(shop)
    await reached(shop.hub, 'merged')
    expect(shop.repo.git('show', 'main:cart')).toBe('x')
    expect(await rows(shop.hub, 'snapshots')).toMatchObject([{ changed_files: 1, error: null }])
    expect(await rows(shop.hub, 'evidence')).toEqual([])
  })
})

test('work in the folder of a project is today’s: no snapshot where the report accepts, review where a person does', async () => {
  await inShop({}, async shop => {
    const { hub, repo } = shop
    await hub.api('project.add', {
      id: 'prj_plain',
      name: 'plain',
      directory: join(repo.root, 'plain'),
      workspace: 'folder',
      accept: 'person',
    })
    await hub.api('project.assign', { project_id: 'prj_plain', agent_id: 'agt_kim' })
    await hub.api('task.add', {
      id: 'tsk_plain',
      project_id: 'prj_plain',
      title: 't',
      assignee_id: 'agt_kim',
      status: 'in_progress',
    })
    const agent = await hub.connect()
    const session_token = await agent.signIn('agt_kim', shop.passkey, 'prj_plain')
    await agent.call('get_my_task', { session_token })
    await agent.call('report_completed', { session_token, result: 'success' })
    expect((await hub.api('task.show', { task_id: 'tsk_plain' })).stage).toBe('review')
  })
})

test('merged trees are checked one after another, each in a clean checkout, of which the last is kept', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path, repo } = shop
    const command = sh('ls; mkdir -p ignored; echo x >> ignored/warm; cat ignored/warm')
    await hub.api('project.check.add', { project_id, name: 'test', command })
    put(path, 'one', '1')
    await report(shop)
    await reached(hub, 'merged')
    for (const name of ['two', 'three']) {
      const folder = await newTask(shop, `tsk_${name}`)
      put(folder, name, name)
      repo.write(`by-a-person-${name}`, 'x')
      repo.commit()
      await report(shop)
      await reached(hub, 'merged', `tsk_${name}`)
      expect(repo.git('show', `main:${name}`)).toBe(name)
    }
    const onMerge = (await rows(hub, 'evidence')).filter(row => row['merge_id'] !== null)
    expect(onMerge.map(row => row['outcome'])).toEqual(['passed', 'passed', 'passed'])
    expect(String(onMerge[0]?.['tail'])).toBe('README\none\nx')
    expect(String(onMerge[1]?.['tail'])).toMatch(/by-a-person-two[^]*two\nx$/)
    expect(String(onMerge[2]?.['tail'])).toMatch(/three\ntwo\nx$/)
    const { worktrees } = await hub.api('worktree.list', {})
    const kept = worktrees.filter(({ branch }) => branch?.startsWith('toryo/integration-shop-main-'))
    expect(kept).toHaveLength(1)
  })
})

test('merged work that is opened again keeps its new workspace, and is merged a second time', async () => {
  await inShop({ settings: { accept: 'checks' } }, async shop => {
    const { hub, path, repo } = shop
    await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
    put(path, 'cart', '1')
    await report(shop)
    await reached(hub, 'merged')
    await until(async () => (await hub.api('task.show', { task_id: 'tsk_cart' })).workspace?.released)
    await hub.api('task.move', { task_id: 'tsk_cart', status: 'in_progress' })
    await report(shop, {}, async () => {
      const { workspace } = await hub.api('task.show', { task_id: 'tsk_cart' })
      await tend(hub)
      put(workspace?.path ?? '', 'cart', '2')
    })
    await reached(hub, 'merged')
    expect(repo.git('show', 'main:cart')).toBe('2')
    await until(async () => (await hub.api('task.show', { task_id: 'tsk_cart' })).workspace?.released)
    expect((await rows(hub, 'merges')).map(row => row['outcome'])).toEqual(['merged', 'merged'])
  })
})
