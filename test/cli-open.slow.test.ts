// The dashboard's link and the answer to a blocked task, from a command line.
import { expect, test } from 'vitest'
import { Toryo } from './toryo.ts'

const LINK = /http:\/\/127\.0\.0\.1:\d+\/#login=\S+/

test('`open` prints a link that signs one browser in, once', async () => {
  await using toryo = new Toryo()
  const { code, out } = await toryo.here(['open', '--no-open'])
  expect({ code, out }).toMatchObject({
    code: 0,
    out: expect.stringContaining('signs one browser in, once, within ten minutes'),
  })
  const link = LINK.exec(out)?.[0] ?? ''
  expect(link).not.toBe('')
  const login = () => {
    const { origin, hash } = new URL(link)
    return fetch(`${origin}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ token: hash.replace('#login=', '') }),
    })
  }
  expect((await login()).status).toBe(200)
  expect((await login()).status).toBe(401)

  const other = await toryo.json<{ url: string; expires_at: string; opened: boolean }>('open')
  expect(other).toEqual({ url: expect.stringMatching(LINK), expires_at: expect.any(String), opened: false })
  expect(other.url).not.toBe(link)
  expect(Date.parse(other.expires_at)).toBeGreaterThan(0)
  // Not a terminal: it prints the link, and opens nothing.
  const piped = await toryo.here(['open'], { env: { TORYO_LANG: 'ja' } })
  expect(piped.out).toContain('一度だけ')
  expect(piped.out).not.toContain('ブラウザーでダッシュボードを開きました')
})

test('`task answer` sends a blocked task back to work, and says why it cannot', async () => {
  await using toryo = new Toryo()
  await toryo.here(['project', 'add', 'shop', '--id', 'shop'])
  await toryo.json('task', 'add', 'Login page', '--project', 'shop', '--id', 'login')
  const early = await toryo.here(['task', 'answer', 'login', 'Cookie'])
  expect(early).toMatchObject({ code: 1, err: expect.stringContaining('not blocked') })
  await toryo.json('task', 'move', 'login', 'blocked')
  const said = await toryo.here(['task', 'answer', 'shop-1', 'Cookie. 署名付きで。'])
  expect(said).toMatchObject({ code: 0, out: expect.stringContaining('todo') })
  expect(await toryo.json('task', 'show', 'login')).toMatchObject({
    status: 'todo',
    answers: [{ answer: 'Cookie. 署名付きで。' }],
  })
  await toryo.json('task', 'move', 'login', 'blocked')
  expect(await toryo.json('task', 'answer', 'login', 'Again')).toMatchObject({ status: 'todo', blocked_reason: null })
})
