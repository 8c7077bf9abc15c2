import { expect, test } from 'vitest'
import type { Client } from '#client/api.ts'
import { findWork } from './find-work.ts'
import { shortId } from './short-id.ts'

const EXECUTION = 'exec_06gupa9rplsg9chl7tjjeijehfalveqa'
const TAB = 'tab_06gupa9rplsg9chl7tjjeijehfq8m2kd'

const hub = {
  async call() {
    const one = { name: 'Claude', handle: 'shop-1', title: 'Add a cart', task_id: 'tsk_1', ended_at: null }
    return {
      work: [
        { ...one, work_id: EXECUTION },
        { ...one, work_id: TAB, name: 'feature/a', handle: null, task_id: null },
      ],
    }
  },
} as unknown as Client

test('what tables show of an id finds the run, as its handle, its agent and its whole id do', async () => {
  expect(shortId(EXECUTION)).toBe('exec_alveqa')
  for (const word of ['exec_alveqa', 'alveqa', 'shop-1', 'Claude', EXECUTION])
    expect(await findWork(hub, word)).toBe(EXECUTION)
  expect(await findWork(hub, shortId(TAB))).toBe(TAB)
})

test('an id that is in no list is left to the hub, however short', async () => {
  for (const word of ['run_nobody', 'exec_1', 'evd_06gupaa8ihpa144t7tkjokc38hjndd0e'])
    expect(await findWork(hub, word)).toBe(word)
})
