// `/runs/{id}/log`: who may read it, that it follows what is written, and that it ends with the run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { LOG_PROTOCOL, PAGE_PROTOCOL } from '#contract/limits.ts'
import { onCrew } from './crews.ts'
import type { TestHub } from './hub.ts'
import { writePage } from './page-files.ts'
import { until } from './until.ts'

let page: string
beforeAll(() => {
  page = mkdtempSync(join(tmpdir(), 'toryo-page-'))
  writePage(page)
})
afterAll(() => rmSync(page, { recursive: true }))

class Reader {
  readonly said: Record<string, unknown>[] = []
  text = ''
  bytes = 0
  code: number | undefined
  readonly status: Promise<number>
  readonly socket: WebSocket

  constructor({ url, token }: Pick<TestHub, 'url' | 'token'>, path: string, headers?: Record<string, string>) {
    const protocols = headers?.['x-page'] ? [LOG_PROTOCOL, `${PAGE_PROTOCOL}${headers['x-page']}`] : [LOG_PROTOCOL]
    this.socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, protocols, {
      headers: headers ?? { authorization: `Bearer ${token}` },
    })
    this.socket.on('error', () => {})
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        this.text += data.toString()
        this.bytes += data.length
      } else this.said.push(JSON.parse(data.toString()) as Record<string, unknown>)
    })
    this.socket.on('close', code => (this.code = code))
    this.status = new Promise(resolve => {
      this.socket.on('open', () => resolve(101))
      this.socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    })
  }
}

async function signIn(hub: TestHub): Promise<{ cookie: string; token: string }> {
  const link = (await hub.api('hub.login_link', {})).url.split('/#login=')[1]
  const response = await fetch(`${hub.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: hub.url },
    body: JSON.stringify({ token: link }),
  })
  const { page_token } = (await response.json()) as { page_token: string }
  return { cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '', token: page_token }
}

test('a log is sent from its start, then as it is written, and ends with its run', () =>
  onCrew({}, async ({ hub, folder, start, ended }) => {
    const [id = ''] = await start('!say first words\n!wait go\n!say last words')
    const reader = new Reader(hub, `/runs/${id}/log`)
    await until(() => reader.text.includes('first words'))
    expect(reader.said).toEqual([{ from: 0 }])
    expect(reader.text).not.toContain('last words')
    writeFileSync(join(folder, 'go'), '')
    await until(() => reader.code !== undefined)
    expect(reader.code).toBe(1000)
    expect(reader.text).toContain('last words')
    expect(reader.said.at(-1)).toEqual({ ended: true, at: reader.bytes })
    await ended(id)
    const whole = await hub.api('run.logs', { run_id: id })
    expect(reader.text).toBe(whole.text)

    const rest = new Reader(hub, `/runs/${id}/log?from=${reader.bytes - 20}`)
    const tail = new Reader(hub, `/runs/${id}/log?tail=20`)
    const beyond = new Reader(hub, `/runs/${id}/log?from=${reader.bytes + 1000}`)
    await until(() => [rest, tail, beyond].every(({ code }) => code === 1000))
    expect(rest.text).toBe(reader.text.slice(-20))
    expect(tail).toMatchObject({ text: rest.text, said: [{ from: reader.bytes - 20 }, { ended: true }] })
    expect(beyond.said).toEqual([
      { from: reader.bytes + 1000 },
      { from: reader.bytes, shortened: true },
      { ended: true, at: reader.bytes },
    ])
  }))

test('logs are for the operator: by token, or by a page with both halves', () =>
  onCrew({ page }, async ({ hub, start, until: reaches, ended }) => {
    const [id = '', other = ''] = await start('!ticket\n!hang', '!say on')
    await ended(other)
    const said = await reaches(id, now => String(now['lastMessage']).startsWith('rtk_'))
    const path = `/runs/${id}/log`
    const { cookie, token } = await signIn(hub)
    const good = { cookie, origin: hub.url, 'x-page': token }
    const attempts: [string, Record<string, string>, number, string?][] = [
      ['nothing', {}, 401],
      ['a wrong token', { authorization: 'Bearer x' }, 401],
      ['the ticket of a run', { authorization: `Bearer ${String(said['lastMessage'])}` }, 403],
      ['the cookie alone', { cookie, origin: hub.url }, 401],
      ['no Origin', { cookie, 'x-page': token }, 401],
      ['another Origin', { ...good, origin: 'https://evil.example' }, 403],
      ['a run that is not', good, 404, '/runs/run_none/log'],
      ['an execution that is not', good, 404, '/runs/exec_none/log'],
      ['a check that is not', good, 404, '/runs/evd_none/log'],
      ['a wrong offset', good, 400, `${path}?from=-1`],
      ['two starts', good, 400, `${path}?from=1&tail=1`],
      ['a name that is a path', good, 404, '/runs/..%2Fx/log'],
    ]
    for (const [name, headers, status, at = path] of attempts)
      expect(await new Reader(hub, at, headers).status, name).toBe(status)
    const reader = new Reader(hub, path, good)
    await until(() => reader.bytes > 0)
    expect(reader.socket.protocol).toBe(LOG_PROTOCOL)
    await hub.api('page.revoke', {})
    await until(() => reader.code === 4401)
  }))

test('a reader that is gone is forgotten, and the run goes on', () =>
  onCrew({}, async ({ hub, folder, start, ended }) => {
    const [id = ''] = await start('!say on\n!wait go')
    const [gone, stays] = [new Reader(hub, `/runs/${id}/log`), new Reader(hub, `/runs/${id}/log`)]
    await until(() => gone.bytes > 0 && stays.bytes > 0)
    const before = (await hub.api('hub.status', {})).connections
    gone.socket.terminate()
    await until(async () => (await hub.api('hub.status', {})).connections === before - 1)
    writeFileSync(join(folder, 'go'), '')
    expect(await ended(id)).toMatchObject([{ status: 'completed' }])
    await until(() => stays.code === 1000)
  }))
