// Agents, their programs and repositories write into these fields. Whatever they write, the page shows it as text, with every sign that
// hides or turns text drawn as a mark.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DIST } from '../../scripts/sources.js'
import type { TestHub } from '../hub.ts'
import { insertRows } from '../queries.ts'
import { build } from '../processes.ts'
import { sql } from '../queries-past-the-hub.ts'
import { inShop, put } from '../thread.ts'
import { until } from '../until.ts'
import { go, TestPage, testPage, whenQuiet } from './page.ts'
import { fillNeeds, openShop } from './scene.ts'

// Every field on every view.
const SLOW = { timeout: 240_000 }

/** `\u202E` turns the text behind it around; `\u2066` isolates it; `\u200B` is not seen at all. */
const evil = (field: string) =>
  `${field} <img src=x onerror=alert(1)><script>alert(2)</script>\u202Etxt\u2066.\u200Bexe [go](javascript:alert(3)) <iframe src="//evil.example">`

/** Field → the column that holds it, for what no trigger protects. Kept as a list: a new field that an agent writes belongs here. */
const COLUMNS: Record<string, readonly string[]> = {
  agents: ['name', 'role'],
  projects: ['name', 'description'],
  tasks: ['title', 'description', 'blocked_reason', 'branch'],
  task_labels: ['label'],
  task_answers: ['question', 'answer'],
  notes: ['progress', 'findings', 'blockers', 'next_steps', 'person'],
  handoffs: ['summary', 'context', 'recommendations'],
  snapshots: ['summary', 'error'],
  evidence: ['name', 'tail'],
  comments: ['text', 'answer', 'path', 'author'],
  verdicts: ['summary', 'author'],
  crews: ['description'],
  runs: ['role', 'engine', 'model', 'prompt', 'directory', 'summary', 'end_reason'],
  tabs: ['branch', 'prompt', 'directory', 'worktree_path', 'end_reason'],
  messages: ['body', 'line', 'reason'],
  engine_pauses: ['reason'],
  phase_states: ['reason'],
}

async function poison(hub: TestHub): Promise<void> {
  const now = Date.now()
  const project_id = 'prj_shop'
  const { id: topic_id } = await hub.api('memory.topic.add', {
    project_id,
    title: evil('topic'),
    description: evil('about'),
  })
  await hub.api('memory.log.add', { topic_id, content: evil('entry') })
  const { id: supersedes } = await hub.api('memory.decision.add', {
    topic_id,
    decision: evil('old'),
    reason: evil('reason'),
  })
  await hub.api('memory.decision.add', {
    topic_id,
    decision: evil('decision'),
    reason: evil('why'),
    supersedes,
    task_ids: ['tsk_13'],
  })
  const at = { task_id: 'tsk_13', at: now }
  await insertRows(hub.target.db, 'notes', [
    {
      id: 'nte_x',
      agent_id: 'agt_aoi',
      progress: 'x',
      findings: 'x',
      blockers: 'x',
      next_steps: 'x',
      person: 'x',
      ...at,
    },
  ])
  await insertRows(hub.target.db, 'task_answers', [{ id: 'ans_x', question: 'x', answer: 'x', ...at }])
  await insertRows(hub.target.db, 'handoffs', [
    {
      id: 'hnd_x',
      task_id: 'tsk_13',
      from_agent_id: 'agt_aoi',
      summary: 'x',
      context: 'x',
      recommendations: 'x',
      created_at: now,
    },
  ])
  await insertRows(hub.target.db, 'verdicts', [
    { id: 'vrd_x', snapshot_id: 'snp_13', decision: 'changes', summary: 'x', author: 'x', ...at },
  ])
  await insertRows(hub.target.db, 'comments', [
    {
      id: 'cmt_x',
      snapshot_id: 'snp_13',
      path: 'x',
      from_line: 1,
      to_line: 1,
      text: 'x',
      author: 'x',
      verdict_id: 'vrd_x',
      answer: 'x',
      ...at,
    },
  ])
  const tab = {
    hub: 'elsewhere',
    engine: 'claude',
    project_id,
    directory: 'x',
    prompt: 'x',
    worktree_path: 'x',
    permission: 'usual',
    depth: 1,
  }
  await insertRows(hub.target.db, 'tabs', [
    {
      id: 'tab_x',
      ...tab,
      branch: 'x',
      launched_by: 'operator',
      ticket_connections: '[]',
      created_at: now,
      began_at: now,
      ended_at: now,
      end_reason: 'exited',
    },
  ])
  await insertRows(hub.target.db, 'messages', [
    {
      id: 'msg_x',
      tab_id: 'tab_x',
      project_id,
      sender: 'tab_x',
      caller: 'tab:tab_x',
      kind: 'message',
      body: 'x',
      line: 'x',
      hidden: 0,
      hops: 0,
      queued_at: now,
      failed_at: now,
      reason: 'x',
    },
  ])
  for (const [table, columns] of Object.entries(COLUMNS))
    for (const column of columns)
      await sql(
        hub,
        `UPDATE ${table} SET ${column} = '${evil(`${table}.${column}`).replaceAll("'", "''")} ' || ${column} WHERE ${column} IS NOT NULL`,
      )
  const report = JSON.stringify({ status: 'failure', summary: evil('report'), findings: [evil('finding')] }).replaceAll(
    "'",
    "''",
  )
  await sql(hub, `UPDATE runs SET report = '${report}' WHERE id = 'run_look'`)
  const held = JSON.stringify([{ path: evil('held'), why: 'secret', bytes: 1 }])
  const flagged = JSON.stringify([{ path: evil('flagged'), why: 'test' }])
  await sql(
    hub,
    `UPDATE snapshots SET held = '${held}', flagged = '${flagged}', cites = '${JSON.stringify([evil('cited')])}'`,
  )
}

const PAGES: [path: string, shown: string][] = [
  ['/needs', '[data-item]'],
  ['/needs/review%3Atsk_13', '[data-review]'],
  ['/needs/task%3Atsk_03', '[data-item]'],
  ['/needs/crew_ended%3Agrp-1', '[data-steps]'],
  ['/needs/phase_ended%3Aprj_shop%3Aphase0', '[data-steps]'],
  ['/board', '[data-task]'],
  ['/tasks/tsk_03', '[data-task-detail] h2'],
  ['/tasks/tsk_13', '[data-review]'],
  ['/tasks/tsk_13/review', '[data-review]'],
  ['/crew', 'main'],
  ['/crew/timeline', 'main'],
  ['/crew/agents', 'main'],
  ['/crews/grp-1', 'main h2, main h1'],
  ['/runs/run_look', 'dialog[open]'],
  ['/agents/agt_aoi', 'main h2, main h1'],
  ['/terminals', 'main'],
  ['/tabs/tab_x/messages', 'main'],
  ['/memory?project=prj_shop', 'main'],
  ['/memory/topics/1?project=prj_shop', 'article'],
  ['/memory/decisions/2?project=prj_shop', 'article'],
  ['/phases?project=prj_shop', 'main h2'],
  ['/activity', '[data-event]'],
  ['/queue', 'main'],
  ['/changes', 'main'],
  ['/replay?span=hour', '[data-task-then]'],
  ['/phases/prompts/phase0?project=prj_shop', '[data-prompt]'],
  ['/settings/projects', '[data-settings]'],
  ['/settings/browsers', '[data-settings]'],
  ['/settings/engines', '[data-settings]'],
  ['/settings/runners', '[data-settings]'],
]

/** Signs that nobody sees, in what is shown; elements that the page never makes; and how much of the hostile text is there. */
const LOOK = `({
  hidden: [...document.body.querySelectorAll('*')].flatMap(({ childNodes }) => [...childNodes]
    .filter(node => node.nodeType === 3 && node.parentElement.localName !== 'textarea'
      && /[\\u202a-\\u202e\\u2066-\\u2069\\u200b]/.test(node.data))
    .map(node => node.parentElement.localName + ': ' + node.data.slice(0, 60))),
  made: [...document.querySelectorAll('#root :is(img, script, iframe, object, embed, style, form[action], a[href^="javascript" i])')]
    .map(({ outerHTML }) => outerHTML.slice(0, 80)),
  marks: (document.body.textContent.match(/U\\+202E/g) ?? []).length,
})`

async function lookAt(page: Page): Promise<{ hidden: string[]; made: string[]; marks: number }> {
  return (await page.evaluate(LOOK)) as { hidden: string[]; made: string[]; marks: number }
}

test('in every field that an agent writes, on every view, hostile text is text', SLOW, async () => {
  await using stage = await testPage()
  await openShop(stage.hub)
  await fillNeeds(stage.hub)
  await poison(stage.hub)
  const page = await stage.open('/needs')
  const quiet = whenQuiet(page)
  page.on('dialog', () => expect.unreachable('a script of the text ran'))
  const found: Record<string, { hidden: string[]; made: string[] }> = {}
  let marks = 0
  for (const [path, shown] of PAGES) {
    await go(page, path)
    await page.locator(shown).first().waitFor()
    await quiet()
    const { hidden, made, marks: own } = await lookAt(page)
    marks += own
    if (hidden.length > 0 || made.length > 0) found[path] = { hidden, made }
  }
  expect(found).toEqual({})
  // It was really there.
  expect(marks).toBeGreaterThan(60)
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open] input').fill('tasks.title')
  await page.locator('dialog[open]').getByRole('option').filter({ hasText: 'U+202E' }).first().waitFor()
  expect(await lookAt(page)).toMatchObject({ hidden: [], made: [] })
})

test('names and lines of a repository are text, and no size of them stops the page', SLOW, async () => {
  build()
  await inShop({ page: join(DIST, 'web') }, async shop => {
    await using stage = new TestPage(shop.hub)
    put(shop.path, `<img src=x onerror=alert(1)>\u202Etxt.ts`, `// ${evil('line')}\n`)
    put(shop.path, 'long.js', `const all = "${'x'.repeat(900_000)}"\n`)
    for (let index = 0; index < 600; index++) put(shop.path, `many/${index}.txt`, `${index}\n`)
    const page = await stage.open('/changes')
    page.on('dialog', () => expect.unreachable('a script of the text ran'))
    await page.locator('[data-worktree] a').first().click()
    await page.getByText('602 files').first().waitFor()
    // Far fewer rows than files.
    await page.locator('[data-files="602"] button').first().waitFor()
    expect(await page.locator('[data-files="602"] button').count()).toBeLessThan(100)
    await page.locator('[data-file^="<img"]').getByText('<img src=x onerror=alert(1)>').waitFor()
    await page.locator('[data-files] button', { hasText: 'long.js' }).click()
    const whole = page.getByRole('button', { name: 'Show the whole line (900,014 characters)' })
    await whole.waitFor()
    expect(await lookAt(page)).toMatchObject({ hidden: [], made: [] })
    await whole.click()
    await until(
      async () => ((await page.locator('[data-spot]', { hasText: 'const all' }).textContent()) ?? '').length > 900_000,
    )
  })
})
