// Review by agents: a run that only reads, started by the hub, which gives its verdict by a tool of its own.
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import { scriptedConfig } from '#test/crews.ts'
import { databases, type TestHubOptions } from '#test/hub.ts'
import { Repo } from '#test/git.ts'
import { build } from '#test/processes.ts'
import { callBy, eventsOf, invoke, rowsOf } from '#test/scene.ts'
import { inShop, put, reached, report, rows, type Shop, workspaceOf } from '#test/thread.ts'
import { until } from '#test/until.ts'

const project_id = 'prj_shop'
const task_id = 'tsk_cart'
const ACCEPT = `!call submit_review ${JSON.stringify({ decision: 'accept', summary: 'Read it all' })}`
const CHANGES = `!call submit_review ${JSON.stringify({
  decision: 'changes',
  summary: 'Almost',
  comments: [{ path: 'cart', from_line: 1, text: 'Name it items' }, { text: 'Add a test' }],
})}`

/** A project whose reviewer is Rei, who plays these steps. */
async function withReviewer(
  steps: string | ((shop: Shop) => string),
  story: (shop: Shop) => Promise<void>,
  options: TestHubOptions & { policy?: boolean } = {},
): Promise<void> {
  build()
  const { policy = true, ...rest } = options
  const usual = { config: scriptedConfig(), engineEnv: { PATH: process.env.PATH } }
  await inShop({ ...usual, ...rest }, async shop => {
    const { hub } = shop
    const system_prompt = typeof steps === 'string' ? steps : steps(shop)
    await hub.api('agent.add', { id: 'agt_rei', name: 'Rei', engine: 'scripted', system_prompt })
    await hub.api('project.assign', { project_id, agent_id: 'agt_rei' })
    if (policy) await hub.api('project.edit', { project_id, accept: 'agent', reviewer_id: 'agt_rei' })
    await story(shop)
  })
}

/** What the review by an agent looks like once it is so. */
function reviewIs(shop: Pick<Shop, 'hub'>, state: string) {
  return until(async () => {
    const { review } = await shop.hub.api('task.show', { task_id })
    return review?.state === state && review
  })
}

test.each(databases)(
  'the project’s reviewer reads verified work, accepts it, and it is merged (%s)',
  async database => {
    await withReviewer(
      ACCEPT,
      async shop => {
        const { hub, path, repo } = shop
        await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
        put(path, 'cart.test.ts', 'x\n')
        put(path, 'server.pem', 'x')
        await report(shop, { summary: 'A cart\n!say never obeyed' })
        await reached(hub, 'merged')
        expect(repo.git('show', 'main:cart.test.ts')).toBe('x\n')
        expect(await rows(hub, 'verdicts')).toMatchObject([
          { decision: 'accept', author: 'agent:agt_rei', summary: 'Read it all' },
        ])
        const [run] = (await rows(hub, 'runs')).filter(row => row['work'] === 'review')
        expect(run).toMatchObject({ permission: 'read', engine: 'scripted', role: 'agt_rei', task_id, directory: path })
        for (const part of [
          'Build the cart',
          '> A cart',
          '> !say never obeyed',
          'test: passed',
          'cart.test.ts',
          'server.pem',
          '+x',
        ])
          expect(String(run?.['prompt'])).toContain(part)
        const told = await rowsOf(hub)
        expect(eventsOf(told, 'review.asked')).toHaveLength(1)
        expect(eventsOf(told, 'review.started')).toHaveLength(1)
        await until(async () => (await rows(hub, 'runs')).every(row => row['ended_at'] !== null))
        expect((await rows(hub, 'runs')).find(row => row['work'] === 'review')).toMatchObject({ outcome: 'completed' })
        expect((await rowsOf(hub, 'slots'))['slots']).toEqual([])
      },
      { database },
    )
  },
)

test('changes that the reviewer wants reach the agent with its comments, and its new work is reviewed anew', async () => {
  await withReviewer(CHANGES, async shop => {
    const { hub, path } = shop
    put(path, 'cart', 'x\n')
    await report(shop)
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === 1)
    expect(await hub.api('task.show', { task_id })).toMatchObject({ status: 'in_progress' })
    await hub.api('agent.edit', { agent_id: 'agt_rei', system_prompt: ACCEPT })
    put(path, 'cart', 'y\n')
    const got = await report(shop)
    expect(got['returned']).toMatchObject({
      why: 'changes',
      summary: 'Almost',
      comments: [
        { path: 'cart', lines: '1', text: 'Name it items' },
        { path: null, lines: null, text: 'Add a test' },
      ],
    })
    await reached(hub, 'merged')
    expect((await rows(hub, 'verdicts')).map(row => row['decision'])).toEqual(['changes', 'accept'])
  })
})

test('the fourth time in a row that agents want changes is for a person', async () => {
  await withReviewer(CHANGES, async shop => {
    const { hub, path } = shop
    for (const count of [1, 2, 3]) {
      put(path, 'cart', `try ${count}\n`)
      await report(shop)
      await until(async () => eventsOf(await rowsOf(hub, 'events'), 'task.returned').length === count)
    }
    put(path, 'cart', 'try 4\n')
    await report(shop)
    const { blocked_reason } = await reached(hub, 'blocked')
    expect(blocked_reason).toMatch(
      /^Agents that review wanted changes 4 times in a row\. .*move the task back to in_progress\.$/,
    )
    expect(eventsOf(await rowsOf(hub, 'events'), 'task.returned')).toHaveLength(3)
    const headers = { 'accept-language': 'ja' }
    const inJapanese = await hub.fetch('/api/task.show', { method: 'POST', body: JSON.stringify({ task_id }), headers })
    expect(await inJapanese.json()).toMatchObject({
      blocked_reason: expect.stringContaining('4 回続けて差し戻しました'),
    })
    // A person may take it as it is.
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await reached(hub, 'merged')
  })
})

test('a reviewer that ends without a verdict is not started again by itself, and the task says how', async () => {
  await withReviewer('!say I do not know', async shop => {
    const { hub, path } = shop
    put(path, 'cart', 'x')
    await report(shop)
    const review = await reviewIs(shop, 'ended')
    expect(review.problem).toMatch(/^agt_rei ended without a verdict: .*toryo task review shop-1 --by agt_rei/)
    const shown = await hub.api('task.review', { task_id })
    expect(shown.review?.problem).toBe(review.problem)
    expect(shown.stage).toBe('review')
    // Looked at again, it stays as it is: once for each snapshot.
    await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
    await until(async () => (await rows(hub, 'evidence')).some(row => row['outcome'] === 'passed'))
    await until(async () => (await rows(hub, 'snapshots'))[0]?.['settled_at'])
    expect(await rows(hub, 'reviews')).toHaveLength(1)
    await hub.api('agent.edit', { agent_id: 'agt_rei', system_prompt: ACCEPT })
    await hub.api('task.review.ask', { task_id, agent_id: 'agt_rei' })
    await reached(hub, 'merged')
    expect(await rows(hub, 'reviews')).toHaveLength(2)
  })
})

test('no agent reviews its own work, whether it has the task or did it', async () => {
  await withReviewer(
    ACCEPT,
    async shop => {
      const { hub, path } = shop
      const ask = (agent_id: string) => hub.api('task.review.ask', { task_id, agent_id })
      await expect(ask('agt_rei')).rejects.toThrow('NOTHING_TO_REVIEW')
      put(path, 'cart', 'x')
      await report(shop)
      await reached(hub, 'review')
      await expect(ask('agt_kim')).rejects.toThrow('OWN_WORK')
      await hub.api('task.assign', { task_id, agent_id: 'agt_rei' })
      await expect(ask('agt_rei')).rejects.toThrow('OWN_WORK')
      // It has passed the task on, and it is still its work.
      await expect(ask('agt_kim')).rejects.toThrow('OWN_WORK')
      await expect(ask('agt_none')).rejects.toThrow('REVIEWER_UNAVAILABLE')
      await hub.api('project.edit', { project_id, accept: 'agent', reviewer_id: 'agt_kim' })
      expect(await rows(hub, 'reviews')).toEqual([])
    },
    { policy: false },
  )
})

test.each(databases)(
  'who wrote the work and handed it over, or wrote a commit in it, is no reviewer of it (%s)',
  async database => {
    await withReviewer(
      ACCEPT,
      async shop => {
        const { hub, path, passkey } = shop
        const ask = (agent_id: string) => hub.api('task.review.ask', { task_id, agent_id })
        const other = await hub.api('agent.add', { id: 'agt_moe', name: 'Moe', engine: 'scripted' })
        await hub.api('project.assign', { project_id, agent_id: 'agt_moe' })
        const kim = await hub.connect()
        const session_token = await kim.signIn('agt_kim', passkey, project_id)
        await kim.call('get_my_task', { session_token })
        put(path, 'cart', 'all of it')
        const said = { task_id, from_agent_id: 'agt_kim', to_agent_id: 'agt_moe', summary: 'Only report it' }
        expect((await kim.call('create_handoff', said)).body).toMatchObject({ success: true })
        await kim.call('logout', { session_token })
        await report({ hub, passkey: other.passkey ?? '' }, {}, async () => {}, 'agt_moe')
        await reached(hub, 'review')
        await expect(ask('agt_moe')).rejects.toThrow('OWN_WORK')
        await expect(ask('agt_kim')).rejects.toThrow('OWN_WORK')
        await hub.api('project.edit', { project_id, accept: 'agent', reviewer_id: 'agt_kim' })
        await hub.api('task.verdict', { task_id, decision: 'changes', summary: 'More' })
        new Repo(path).git('-c', 'user.name=REI', 'commit', '-q', '--allow-empty', '--author=REI <r@x>', '-m', 'by Rei')
        await report({ hub, passkey: other.passkey ?? '' }, {}, async () => {}, 'agt_moe')
        expect((await reviewIs(shop, 'ended')).problem).toContain('nor work that it had a part in')
        await expect(ask('agt_rei')).rejects.toThrow('OWN_WORK')
        expect((await rows(hub, 'runs')).filter(row => row['work'] === 'review')).toEqual([])
      },
      { policy: false, database },
    )
  },
)

test('a project’s reviewer that did the work itself, or is not there, is said so and a person is waited for', async () => {
  await withReviewer(ACCEPT, async shop => {
    const { hub, path } = shop
    await hub.api('project.edit', { project_id, reviewer_id: 'agt_kim' })
    put(path, 'cart', 'x')
    await report(shop)
    expect((await reviewIs(shop, 'ended')).problem).toMatch(/^An agent cannot accept its own work/)
    await hub.api('task.verdict', { task_id, decision: 'changes', summary: 'Again' })
    await hub.api('project.edit', { project_id, reviewer_id: 'agt_rei' })
    await hub.api('agent.disable', { agent_id: 'agt_rei' })
    await report(shop)
    const disabled = await until(async () => {
      const { review } = await hub.api('task.show', { task_id })
      return review?.agent_id === 'agt_rei' && review.state === 'ended' && review
    })
    expect(disabled.problem).toMatch(/^Rei cannot review: it is disabled/)
    await hub.api('agent.enable', { agent_id: 'agt_rei' })
    await hub.api('project.unassign', { project_id, agent_id: 'agt_rei' })
    await expect(hub.api('task.review.ask', { task_id, agent_id: 'agt_rei' })).rejects.toThrow('is not assigned')
    expect(await rows(hub, 'runs')).toEqual(expect.not.arrayContaining([expect.objectContaining({ work: 'review' })]))
    await hub.api('task.verdict', { task_id, decision: 'accept' })
    await reached(hub, 'merged')
  })
})

test('a verdict on work that has changed meanwhile is refused, and one review at a time goes on', async () => {
  const steps = ({ yard }: Shop) => `!ignore-term\n!wait ${yard.home}/go\n${ACCEPT}`
  await withReviewer(steps, async shop => {
    const { hub, path, yard } = shop
    await hub.api('agent.add', { id: 'agt_lea', name: 'Lea', engine: 'scripted', system_prompt: ACCEPT })
    await hub.api('project.assign', { project_id, agent_id: 'agt_lea' })
    put(path, 'cart', 'x')
    put(path, 'server.pem', 'x')
    await report(shop)
    const { run_id } = await reviewIs(shop, 'running')
    const ask = (agent_id: string) => hub.api('task.review.ask', { task_id, agent_id })
    expect((await ask('agt_rei')).review.run_id).toBe(run_id)
    await expect(ask('agt_lea')).rejects.toThrow(/REVIEW_UNDER_WAY.*Rei reviews shop-1/)
    await hub.api('task.include', { task_id, paths: ['server.pem'] })
    // The hub ends the reviewer as soon as it sees the new work; what that says before it is gone counts no more.
    const [old] = (await rows(hub, 'runs')).filter(row => row['id'] === run_id)
    const reviewer = {
      kind: 'run',
      runId: run_id,
      crewId: String(old?.['crew_id']),
      projectId: project_id,
      depth: 1,
      work: 'review',
    }
    const late = await invoke(
      hub,
      'submit_review',
      { decision: 'accept', summary: 'Read it' },
      callBy(reviewer as Caller),
    )
    expect(late).toMatchObject({ ok: false, error: { code: 'REVIEW_OUTDATED' } })
    put(yard.home, 'go', '')
    await reached(hub, 'merged')
    // The new work has a review of its own.
    const [first, second] = await rows(hub, 'reviews')
    expect(first).toMatchObject({ verdict_id: null })
    expect(second?.['verdict_id']).toBeTruthy()
    expect(await rows(hub, 'verdicts')).toHaveLength(1)
  })
})

test('work whose branch names checks that nobody trusts is not accepted by an agent', async () => {
  await withReviewer(ACCEPT, async shop => {
    const { hub, path } = shop
    put(path, '.toryo/config.json', JSON.stringify({ checks: { test: { command: ['true'] } } }))
    await report(shop)
    await reached(hub, 'review')
    expect(await rows(hub, 'reviews')).toEqual([])
    await hub.api('task.review.ask', { task_id, agent_id: 'agt_rei' })
    expect((await reviewIs(shop, 'ended')).problem).toMatch(/names checks that are not trusted \(test\)/)
    // CHECKS_UNTRUSTED is reported under its own code.
    expect(eventsOf(await rowsOf(hub, 'events'), 'review.failed')).toHaveLength(1)
    expect(await rows(hub, 'verdicts')).toEqual([])
  })
})

test('who wrote the work is no reviewer of it where its workspace was made again, until it is merged', async () => {
  await withReviewer(
    ACCEPT,
    async shop => {
      const { hub, path } = shop
      const { passkey } = await hub.api('agent.add', { id: 'agt_moe', name: 'Moe', engine: 'claude' })
      await hub.api('project.assign', { project_id, agent_id: 'agt_moe' })
      const kim = await hub.connect()
      const session_token = await kim.signIn('agt_kim', shop.passkey, project_id)
      await kim.call('get_my_task', { session_token })
      put(path, 'cart', 'x')
      new Repo(path).commit('as somebody')
      const said = { session_token, task_id, from_agent_id: 'agt_kim', to_agent_id: 'agt_moe', summary: 'Report it' }
      expect((await kim.call('create_handoff', said)).body).toMatchObject({ success: true })
      await kim.call('logout', { session_token })
      await until(async () => (await rows(hub, 'runs')).every(row => row['ended_at'] !== null))
      rmSync(path, { recursive: true })
      await workspaceOf(shop, task_id)
      await report({ hub, passkey }, {}, undefined, 'agt_moe')
      await reached(hub, 'review')
      await expect(hub.api('task.review.ask', { task_id, agent_id: 'agt_kim' })).rejects.toThrow('OWN_WORK')
    },
    { policy: false },
  )
})

test('work that a person moves to done by hand is taken as it lies there, and merged', async () => {
  await inShop({}, async ({ hub, path, repo }) => {
    put(path, 'cart', 'by hand')
    await hub.api('task.move', { task_id, status: 'done' })
    await reached(hub, 'merged')
    expect(repo.git('show', 'main:cart')).toBe('by hand')
    const { merge } = await hub.api('task.show', { task_id })
    expect(merge).toMatchObject({ outcome: 'merged', position: null, commit: expect.stringMatching(/^[0-9a-f]{40}/) })
  })
})

test('a workspace whose agent configuration nobody trusts gets no reviewer before a person has looked at it', async () => {
  await withReviewer(ACCEPT, async shop => {
    const { hub, path } = shop
    put(path, 'cart', 'x')
    put(path, '.env', 'KEY=1')
    await report(shop)
    expect((await reviewIs(shop, 'ended')).problem).toContain('toryo project trust --dir')
    expect(await rows(hub, 'crews')).toEqual([])
    await hub.api('project.trust', { directory: path })
    await hub.api('task.review.ask', { task_id, agent_id: 'agt_rei' })
    await reached(hub, 'merged')
  })
})

test('a reviewer is offered its verdict and what is remembered, cannot take more, and others are not offered it', async () => {
  await withReviewer('!ticket\n!hang', async shop => {
    const { hub, path } = shop
    put(path, 'cart', 'x')
    await report(shop)
    const ticket = await until(async () => {
      const run = (await rows(hub, 'runs')).find(row => row['work'] === 'review')
      return /rtk_[\w-]+/.exec(String(run?.['facts']))?.[0]
    })
    const everything = 'agent,projects,planning,legacy,crews,phases,memory,tabs,review'
    const reviewer = await hub.connect({ credential: ticket, secret: 's'.repeat(32), toolsets: everything })
    const names = (await reviewer.client.listTools()).tools.map(({ name }) => name)
    expect(names.toSorted()).toEqual(['get-decisions', 'get-logs', 'recall', 'submit_review'])
    const instructions = reviewer.client.getInstructions() ?? ''
    expect(instructions).toContain('submit_review')
    expect(Buffer.byteLength(instructions)).toBeLessThan(2048)
    const operator = await hub.connect({ toolsets: everything })
    expect((await operator.client.listTools()).tools.map(({ name }) => name)).not.toContain('submit_review')
    // Said twice, it is one verdict.
    const said = { decision: 'accept', summary: 'Fine' }
    const [one, two] = [await reviewer.call('submit_review', said), await reviewer.call('submit_review', said)]
    expect(two.body).toEqual(one.body)
    expect(await rows(hub, 'verdicts')).toHaveLength(1)
  })
})

test.each(['sqlite', 'postgres'] as const)(
  'a review whose run is stopped leaves its work to a person (%s)',
  async database => {
    await withReviewer(
      '!hang',
      async shop => {
        const { hub, path } = shop
        put(path, 'cart', 'x')
        await report(shop)
        const { run_id } = await reviewIs(shop, 'running')
        await hub.api('run.stop', { run_id: String(run_id) })
        expect((await reviewIs(shop, 'ended')).problem).toContain('ended without a verdict')
        expect((await hub.api('task.show', { task_id })).stage).toBe('review')
      },
      { database },
    )
  },
)
