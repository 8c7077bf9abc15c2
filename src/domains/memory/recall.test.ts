import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HUB } from '#hub/own-caller.ts'
import { databases, testHub, TestClock } from '#test/hub.ts'
import { type OpenMemory, openMemory } from '#test/memory.ts'
import { texts } from '../../../bench/memory/texts.ts'
import { openAiEmbedder } from './embedder.ts'
import { embedMissing } from './vectors.ts'

async function fill(memory: OpenMemory, count: number): Promise<number> {
  const number = await memory.project('p')
  const source = texts(3)
  await memory.database.tx(async tx => {
    const { memory: verbs } = memory.within(tx)
    for (let topic = 0; topic < count / 20; topic += 1) {
      const { id } = await verbs.addTopic(
        number,
        { title: source.word('ja'), description: source.record(), parentId: null },
        HUB,
      )
      for (let entry = 0; entry < 15; entry += 1) await verbs.addEntry(id, source.record(), HUB)
      for (let n = 0; n < 4; n += 1) {
        const fresh = { topicId: id, project: undefined, decision: source.record(), reason: source.word('en') }
        await verbs.addDecision({ ...fresh, supersedes: null }, HUB)
      }
    }
  })
  return number
}

const questions = () => {
  const source = texts(8)
  return Array.from({ length: 40 }, (_, n) =>
    Array.from({ length: 1 + (n % 5) }, () => source.word(n % 2 === 0 ? 'en' : 'ja')).join(n % 2 === 0 ? ' ' : 'の'),
  )
}

async function answers(memory: OpenMemory, project: number) {
  const found = []
  for (const query of questions())
    found.push(await memory.services.recalling.answer(project, { queries: [query], limit: 20 }, HUB))
  return found.map(({ results }) => results.map(hit => [hit.kind, hit.id, hit.score]))
}

test.runIf(databases.includes('postgres'))(
  'both databases give the same records in the same order, before and after a rebuild',
  async () => {
    const clock = new TestClock()
    await using sqlite = await openMemory('sqlite', { clock })
    await using postgres = await openMemory('postgres', { clock })
    const one = await answers(sqlite, await fill(sqlite, 400))
    const two = await answers(postgres, await fill(postgres, 400))
    expect(one.flat().length).toBeGreaterThan(200)
    expect(two).toEqual(one)
    for (const memory of [sqlite, postgres]) await memory.rebuild().run(() => {}, true)
    const again = await answers(sqlite, 1)
    expect(again.map(hits => hits.map(([kind, id]) => [kind, id]))).toEqual(
      (await answers(postgres, 1)).map(hits => hits.map(([kind, id]) => [kind, id])),
    )
  },
)

describe.each(databases)('on %s', database => {
  test('the index is made again, step by step, when the analyser has changed', async () => {
    await using memory = await openMemory(database)
    const project = await fill(memory, 300)
    const before = await memory.services.recalling.answer(project, { queries: ['データベース'], limit: 5 }, HUB)
    const progress: { done: number; total: number }[] = []
    await memory.rebuild('2/icu99').run(step => progress.push(step))
    expect(progress.length).toBeGreaterThan(3)
    expect(progress.at(-1)).toEqual({ done: 300, total: 300 })
    expect(progress.map(step => step.done)).toEqual(progress.map(step => step.done).sort((a, b) => a - b))
    const after = await memory.services.recalling.answer(project, { queries: ['データベース'], limit: 5 }, HUB)
    expect(after.results.map(hit => hit.id)).toHaveLength(before.results.length)
    const [last] = (await memory.events.since(0, {}, 100_000)).slice(-1)
    expect(last).toMatchObject({ type: 'memory.index_rebuilt', payload: { records: 300, version: '2/icu99' } })
    const none: unknown[] = []
    await memory.rebuild('2/icu99').run(step => none.push(step))
    expect(none).toEqual([])
  })

  test('records that came during a rebuild are found by a hub that ended before it had taken them in', async () => {
    await using memory = await openMemory(database)
    const project = await fill(memory, 300)
    const first = memory.rebuild('2/icu99')
    await first.run(() => void first.dispose())
    await memory.database.tx(async tx => {
      const { memory: verbs } = memory.within(tx)
      for (let n = 0; n < 1_040; n += 1) {
        const fresh = { topicId: null, project, decision: `slate number ${n}`, reason: 'r', supersedes: null }
        await verbs.addDecision(n === 1_039 ? { ...fresh, decision: 'copper gutters' } : fresh, HUB)
      }
    })
    const second = memory.rebuild('2/icu99')
    await second.run(({ done, total }) => done === total && void second.dispose())
    await memory.rebuild('2/icu99').run(() => {})
    const { results, notice } = await memory.services.recalling.answer(project, { queries: ['copper'], limit: 5 }, HUB)
    expect(notice).toBeUndefined()
    expect(results[0]).toMatchObject({ kind: 'decision', title: 'copper gutters' })
  })

  test('data that were imported are found', async () => {
    await using source = await testHub({ database })
    await source.call('add-project', { name: 'p', asana_url: 'https://example.com/1' })
    await source.call('add-topic', { project_id: 1, title: '認証' })
    await source.call('add-log', { topic_id: 1, content: 'refresh tokens rotate' })
    await source.call('add-decision', { topic_id: 1, decision: 'ＪＷＴ', reason: 'r' })
    const dump = await (await source.fetch('/api/export')).text()
    await using target = await testHub({ database })
    const headers = { 'content-type': 'application/jsonl' }
    expect((await target.fetch('/api/import', { method: 'POST', body: dump, headers })).status).toBe(200)
    const found = await target.call('search-decisions', { project_id: 1, keyword: 'jwt' })
    expect(found.body).toMatchObject({ decisions: [{ id: 1 }] })
    // Exact search finds all the time; ranked search when the index is made.
    await expect
      .poll(async () => (await target.call('recall', { project_id: 1, query: 'rotating tokens' })).body)
      .toMatchObject({ results: [{ kind: 'log', id: 1 }, {}] })
    const next = await target.call('add-log', { topic_id: 1, content: 'more' })
    expect(next.body).toMatchObject({ log_id: 2 })
    expect((await target.call('get-projects')).body).toMatchObject({
      projects: [{ asana_url: 'https://example.com/1' }],
    })
  })

  test('records and their exports come in elsewhere with new numbers', async () => {
    await using hub = await testHub({ database })
    await hub.call('add-project', { name: 'a' })
    await hub.call('add-project', { name: 'b' })
    await hub.call('add-topic', { project_id: 2, title: 'already here' })
    await hub.call('add-topic', { project_id: 1, title: 'root' })
    await hub.call('add-topic', { project_id: 1, title: 'child', parent_topic_id: 2 })
    await hub.call('add-log', { topic_id: 3, content: 'said' })
    await hub.call('add-decision', { topic_id: 3, decision: 'first', reason: 'r' })
    await hub.call('add-decision', { topic_id: 3, decision: 'second', reason: 'r', supersedes: 1 })
    const records = []
    let cursor: string | undefined
    do {
      const page = await hub.api('memory.export', { project_id: 1, cursor })
      records.push(...page.records)
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(records.map(record => record.type)).toEqual(['topic', 'topic', 'log', 'decision', 'decision'])
    const known = { topics: {}, decisions: {} }
    const added = await hub.api('memory.import', { project_id: 'b', records: [], known }).catch(String)
    expect(added).toContain('400')
    const numbers = await hub.api('memory.import', { project_id: 2, records, known })
    expect(numbers).toEqual({ topics: { 2: 4, 3: 5 }, decisions: { 1: 3, 2: 4 } })
    const tree = await hub.call('get-topic-tree', { project_id: 2, topic_id: 4 })
    expect(tree.body).toMatchObject({ tree: { title: 'root', children: [{ id: 5, title: 'child' }] } })
    const decisions = await hub.call('get-decisions', { topic_id: 5 })
    expect(decisions.body).toMatchObject({
      decisions: [
        { id: 3, superseded_by: 4 },
        { id: 4, supersedes: 3 },
      ],
    })
    // Topics of another project are not to be written to by way of `known`.
    const foreign = {
      project_id: 2,
      records: [{ type: 'log' as const, topic_id: 9, content: 'x' }],
      known: { topics: { 9: 2 }, decisions: {} },
    }
    await expect(hub.api('memory.import', foreign)).rejects.toThrow(/404/)
  })

  test('an embedder finds by meaning what no word finds, and its absence is said', async () => {
    await using server = await embeddingServer()
    await using memory = await openMemory(database, {
      embedder: () => openAiEmbedder({ url: server.url, model: 'toy', tokenFile: server.tokenFile }),
    })
    const project = await memory.project('p')
    const { id } = await memory.services.memory.addTopic(
      project,
      { title: 'x', description: null, parentId: null },
      HUB,
    )
    for (const content of ['犬が吠える', 'the car needs fuel', 'unrelated talk'])
      await memory.services.memory.addEntry(id, content, HUB)
    const embedder = openAiEmbedder({ url: `${server.url}/v1`, model: 'toy', tokenFile: server.tokenFile })
    const { signal } = new AbortController()
    expect(await embedMissing(memory.database, embedder, signal)).toBe(4)
    expect(await embedMissing(memory.database, embedder, signal)).toBe(0)
    const ask = (query: string) =>
      memory.services.recalling.answer(project, { queries: [query], limit: 2, kinds: ['log'] }, HUB)
    const found = await ask('dog barking')
    expect(found.results[0]).toMatchObject({ kind: 'log', id: 1 })
    expect(found.notice).toBeUndefined()

    server.break()
    const down = await ask('fuel')
    expect(down.results).toMatchObject([{ id: 2 }, {}])
    expect(down.notice?.en).toMatch(/did not answer/)
  })
})

test('the embedder of the configuration is used, and changed while the hub runs', async () => {
  await using server = await embeddingServer()
  await using hub = await testHub()
  await hub.call('add-project', { name: 'p' })
  await hub.call('add-topic', { project_id: 1, title: '犬' })
  expect((await hub.call('recall', { project_id: 1, query: 'dog' })).body).toEqual({ results: [] })
  const embeddings = { url: server.url, model: 'toy', tokenFile: server.tokenFile }
  writeFileSync(join(hub.home, 'config.json'), JSON.stringify({ memory: { embeddings } }))
  await expect
    .poll(async () => {
      await hub.running.hub.tend([])
      return (await hub.call('recall', { project_id: 1, query: 'dog' })).body
    })
    .toMatchObject({ results: [{ kind: 'topic', id: 1 }] })
  // The palette asks with every key, of each project.
  const { asked } = server
  expect((await hub.api('search.find', { text: '犬' })).found).toMatchObject([{ kind: 'topic', id: '1' }])
  expect(server.asked).toBe(asked)
})

/** A real HTTP server whose toy model knows three meanings. */
async function embeddingServer() {
  const { mkdtempSync, rmSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const folder = mkdtempSync(join(tmpdir(), 'toryo-embed-'))
  const tokenFile = join(folder, 'token')
  writeFileSync(tokenFile, 'sesame\n', { mode: 0o600 })
  let broken = false
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    let body = ''
    request.on('data', chunk => (body += chunk))
    request.on('end', () => {
      if (broken || request.url !== '/v1/embeddings' || request.headers.authorization !== 'Bearer sesame') {
        response.writeHead(broken ? 503 : 401).end()
        return
      }
      const { input, model } = JSON.parse(body) as { input: string[]; model: string }
      const data = input.map((text, index) => ({ index, embedding: meaning(text) })).reverse()
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ model, data }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokenFile,
    break: () => void (broken = true),
    get asked() {
      return asked
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function meaning(text: string): number[] {
  return [/犬|dog/.test(text) ? 5 : 0, /car|fuel/.test(text) ? 5 : 0, 1]
}
