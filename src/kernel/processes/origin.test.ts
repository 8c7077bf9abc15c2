import { describe, expect, test } from 'vitest'
import { type Origin, Origins, type Started, selfOf } from './origin.ts'
import type { ProcessView } from './peer.ts'
import { limitFor, type ProcessInfo } from '#system/processes.ts'

const BOOT = 'boot'

/** pid → what differs from a process that init started in a session of its own. */
type Processes = Record<number, Partial<ProcessInfo> & { mark?: string; limit?: number }>

function viewOf(processes: Processes): ProcessView {
  return {
    find(pid) {
      const given = processes[pid]
      if (!given) return undefined
      const usual = { pid, parent: 1, group: pid, session: pid, start: String(pid * 10), zombie: false }
      return { ...usual, ...given }
    },
    markOf: pid => processes[pid]?.mark,
    limitOf: pid => processes[pid]?.limit,
  }
}

function started(what: string, pid: number, start = String(pid * 10)): Started<string> {
  return { record: { boot: BOOT, pid, start, marker: `mark-${what}` }, what }
}

/** Stored before the start: there is no number yet. */
const planned = (what: string): Started<string> => started(what, 0, '')

const HUB = 100

function originOf(pid: number, processes: Processes, all: readonly Started<string>[], more: readonly string[] = []) {
  const view = viewOf({ [HUB]: { parent: 50 }, 50: {}, ...processes })
  const origin: Origin<string> = new Origins(view, all, BOOT, selfOf(view, HUB, more)).of(pid)
  return origin.kind === 'started' ? origin.what : origin.kind
}

describe('where a process comes from', () => {
  const tab = started('tab', 200)
  const cases: [name: string, processes: Processes, all: Started<string>[], expected: string][] = [
    ['a person', { 300: {} }, [tab], 'outside'],
    ['the shell that started the hub', { 300: { parent: 50 } }, [tab], 'outside'],
    ['the hub itself', { 300: { parent: HUB } }, [tab], 'outside'],
    ['one with the mark', { 300: { mark: 'mark-tab' } }, [planned('tab')], 'tab'],
    ['one whose parent has the mark', { 300: { parent: 250 }, 250: { mark: 'mark-tab' } }, [planned('tab')], 'tab'],
    ['one with nothing but the limit', { 300: { limit: limitFor('mark-tab') } }, [planned('tab')], 'tab'],
    ['one with another mark, and the limit', { 300: { mark: 'mark-x', limit: limitFor('mark-tab') } }, [tab], 'tab'],
    ['a child of the process itself, without a mark', { 300: { parent: 200 }, 200: { parent: HUB } }, [tab], 'tab'],
    ['one left in its session by a parent that ended', { 300: { session: 200 } }, [tab], 'tab'],
    ['one left in its group', { 300: { group: 200, session: 7 } }, [tab], 'tab'],
    [
      'one in a session of the same number, which is another now',
      { 300: { session: 200 }, 200: { start: '9999' } },
      [tab],
      'outside',
    ],
    ['a child of another with the same number', { 300: { parent: 200 }, 200: { start: '9999' } }, [tab], 'outside'],
    ['one with a mark that nobody knows', { 300: { mark: 'mark-else' } }, [tab], 'marked'],
    ['one below a mark that nobody knows', { 300: { parent: 250 }, 250: { mark: 'mark-else' } }, [tab], 'marked'],
    [
      'one of an earlier boot',
      { 300: { parent: 200 }, 200: {} },
      [{ ...tab, record: { ...tab.record, boot: 'x' } }],
      'outside',
    ],
    [
      'one that pretends to be another: the record of its parent counts',
      { 300: { parent: 200, mark: 'mark-other' }, 200: { mark: 'mark-tab' } },
      [tab, started('other', 400)],
      'tab',
    ],
    [
      'one that pretends, while its own is only planned: the mark above counts',
      { 300: { parent: 250, mark: 'mark-other' }, 250: { mark: 'mark-tab' } },
      [planned('tab'), planned('other')],
      'tab',
    ],
    [
      'one of a Runner that was started in a tab: it is below both, and belongs to the tab',
      {
        300: { parent: 280, mark: 'mark-instance' },
        280: { parent: 200, mark: 'mark-tab' },
        200: { mark: 'mark-tab' },
      },
      [started('instance', 300), tab],
      'tab',
    ],
    [
      'one of a hub that runs in our tab is ours, whatever mark that hub gave it',
      { 300: { parent: 280, mark: 'mark-else' }, 280: { parent: 200 }, 200: { mark: 'mark-tab' } },
      [tab],
      'tab',
    ],
    ['one whose parents go in a circle', { 300: { parent: 301 }, 301: { parent: 300 } }, [tab], 'outside'],
  ]

  test.each(cases)('%s', (_name, processes, all, expected) => {
    expect(originOf(300, processes, all)).toBe(expected)
  })

  test('the mark that the hub itself was started with says nothing of its callers', () => {
    const below = { 50: { mark: 'mark-outer' }, 100: { parent: 50, mark: 'mark-outer' } }
    expect(originOf(300, { ...below, 300: { mark: 'mark-outer' } }, [])).toBe('outside')
    expect(originOf(300, { ...below, 300: { mark: 'mark-else' } }, [])).toBe('marked')
    // Nor does that of the process that started it in the background and let it go.
    expect(originOf(300, { 300: { mark: 'mark-outer' } }, [], ['mark-outer'])).toBe('outside')
  })
})
