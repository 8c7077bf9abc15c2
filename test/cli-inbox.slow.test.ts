// `toryo inbox`: what waits for a person, with the command for each, and gone once it was dealt with.
import { expect, test } from 'vitest'
import { Toryo } from './toryo.ts'

type Items = { items: { item_id: string; handle: string; command: string }[] }

test('a question is listed with the command that answers it, and one step sends it back to work', async () => {
  await using toryo = new Toryo()
  expect(await toryo.here(['inbox'])).toMatchObject({ code: 0, out: '', err: expect.stringContaining('Nothing needs') })
  await toryo.json('project', 'add', 'shop')
  await toryo.json('project', 'add', 'mill')
  await toryo.json('agent', 'add', 'Aoi', '--engine', 'claude')
  await toryo.json('project', 'assign', 'shop', 'Aoi')
  await toryo.json('task', 'add', 'Fix the login', '--project', 'shop', '--assignee', 'Aoi', '--status', 'blocked')
  await toryo.json('task', 'add', 'Grind', '--project', 'mill', '--status', 'blocked')

  const all = await toryo.here(['inbox'])
  expect(all.out).toContain('asks  shop-1 Fix the login\n  Aoi · claude · shop')
  expect(all.out).toContain('→ toryo task answer shop-1 "…"')
  expect((await toryo.here(['inbox'], { env: { LANG: 'ja_JP.UTF-8' } })).out).toContain('質問  shop-1 Fix the login')
  const ofShop = await toryo.json<Items>('inbox', '--project', 'shop')
  expect(ofShop.items).toMatchObject([{ handle: 'shop-1', command: 'toryo task answer shop-1' }])

  const answered = await toryo.here(['task', 'answer', 'shop-1', 'Use a cookie'])
  expect(answered.out).toContain('Answered: shop-1 Fix the login is back in progress')
  expect(await toryo.json('task', 'show', 'shop-1')).toMatchObject({
    status: 'in_progress',
    answers: [{ answer: 'Use a cookie' }],
  })
  expect(await toryo.json<Items>('inbox', '--project', 'shop')).toEqual({ items: [], next_at: null })

  expect((await toryo.here(['task', 'answer', 'mill-1', 'yes'])).out).toContain('is todo again')
  const again = await toryo.here(['task', 'answer', 'mill-1', 'yes'])
  expect(again.code).toBe(1)
})

test('what was put aside is gone, and what is not there is refused', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', 'shop')
  await toryo.json('task', 'add', 'Paint', '--project', 'shop', '--status', 'blocked')
  const unknown = await toryo.here(['inbox', '--dismiss', 'shop-9'])
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('`toryo inbox` lists what is there') })
  expect((await toryo.here(['inbox', '--dismiss', 'shop-1'])).out).toContain('Put aside: shop-1 Paint.')
  expect(await toryo.json<Items>('inbox')).toEqual({ items: [], next_at: null })
})
