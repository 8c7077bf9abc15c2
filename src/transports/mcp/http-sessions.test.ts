import { expect, test } from 'vitest'
import { TestClock } from '#test/hub.ts'
import { HttpSessions, type Session, SESSIONS_PER_CALLER } from './http-sessions.ts'

function table() {
  const clock = new TestClock()
  const sessions = new HttpSessions<Session>(clock)
  const ended: string[] = []
  let made = 0
  const open = (owner = 'operator') => {
    if (!sessions.makeRoom(owner)) return undefined
    const id = `${owner} ${made++}`
    const session = { id, owner, usedAt: clock.monotonic(), open: 0, close: () => void ended.push(id) }
    sessions.add(session)
    clock.advance(1)
    return session
  }
  return { clock, sessions, ended, open }
}

test('the session that was idle longest makes room, and one that is in use never does', () => {
  const { sessions, ended, open } = table()
  const all = Array.from({ length: SESSIONS_PER_CALLER }, () => open() as Session)
  const leave = sessions.enter(all[0] as Session)
  // Used since, so no longer the oldest.
  sessions.enter(all[1] as Session)()
  expect(open()).toBeDefined()
  expect(ended).toEqual([all[2]?.id])
  leave()
  leave()
  expect(all[0]?.open).toBe(0)
})

test('a caller whose sessions are all in use gets no more, and others do', () => {
  const { sessions, ended, open } = table()
  const leaves = Array.from({ length: SESSIONS_PER_CALLER }, () => sessions.enter(open('tab:1') as Session))
  expect(open('tab:1')).toBeUndefined()
  expect(open('operator')).toBeDefined()
  leaves[7]?.()
  expect(open('tab:1')).toBeDefined()
  expect(ended).toEqual(['tab:1 7'])
})

test('when all places are taken, the oldest idle session of anybody goes', () => {
  const { ended, sessions, open } = table()
  const owners = ['a', 'b', 'c', 'd']
  for (let n = 0; n < SESSIONS_PER_CALLER; n++) for (const owner of owners) open(owner)
  expect(sessions.size).toBe(1024)
  for (let n = 0; n < 3; n++) expect(open('e')).toBeDefined()
  expect(ended).toEqual(['a 0', 'b 1', 'c 2'])
})

test('half an hour without a request ends a session, unless a stream is open', () => {
  const { clock, sessions, ended, open } = table()
  const [quiet, listening] = [open() as Session, open() as Session]
  const leave = sessions.enter(listening)
  clock.advance(31 * 60_000)
  sessions.reap()
  expect(ended).toEqual([quiet.id])
  leave()
  sessions.reap()
  expect(ended).toEqual([quiet.id])
  clock.advance(31 * 60_000)
  sessions.reap()
  expect(ended).toEqual([quiet.id, listening.id])
})
