// With output in the form that macOS prints it: our tests do not run there.
import { expect, test } from 'vitest'
import { macosPeers } from './macos-peers.ts'
import type { Peer } from './peer.ts'
import { Peers } from './peers.ts'
import { bootId } from '#system/processes.ts'

const PS = `    1     0     1      0 Ss   Mon Nov 16 08:00:00 2026
  501     1   501      0 Ss   Mon Nov 16 09:00:00 2026
  700   501   700      0 Ss   Mon Nov 16 09:10:00 2026
  701   700   700      0 S    Mon Nov 16 09:10:01 2026
  702     1   700      0 S    Mon Nov 16 09:10:02 2026
  800   501   800      0 S+   Mon Nov 16 09:20:00 2026
  900   501   900      0 S+   Mon Nov 16 09:30:00 2026
`
// The shell (700) is one of the system's, whose environment is not shown.
const MARKS = `    1 /sbin/launchd
  501 -zsh TERM=xterm
  700 /bin/zsh
  701 node agent.js
  702 curl http://127.0.0.1:4747/api
  800 node cli.js TORYO_MARK=of-another-hub HOME=/Users/me
  900 node cli.js task list HOME=/Users/me
`
const LSOF = `p${process.pid}
f21
n127.0.0.1:4747->127.0.0.1:50001
TST=ESTABLISHED
TQR=0
TQS=0
f22
n127.0.0.1:4747->127.0.0.1:50006
TST=CLOSE_WAIT
f23
n[::1]:4747->[::1]:50007
TST=ESTABLISHED
p701
f9
n127.0.0.1:50001->127.0.0.1:4747
TST=ESTABLISHED
p702
f3
n127.0.0.1:50002->127.0.0.1:4747
TST=FIN_WAIT_2
p800
f5
n127.0.0.1:50003->127.0.0.1:4747
TST=ESTABLISHED
p900
f5
n[::1]:50004->[::1]:4747
TST=ESTABLISHED
f6
n127.0.0.1:50005->127.0.0.1:4747
TST=ESTABLISHED
p701
f12
n127.0.0.1:50005->127.0.0.1:4747
TST=ESTABLISHED
`

const asked: string[] = []
const system = macosPeers(async (program, args) => {
  asked.push(`${program} ${args.join(' ')}`)
  if (program.endsWith('lsof')) return LSOF
  return args.includes('-axEww') ? MARKS : PS
})
const record = { boot: bootId(), pid: 700, start: 'Mon Nov 16 09:10:00 2026', marker: 'of-the-tab' }
const peers = new Peers({ started: async () => [{ record, what: 'tab' }], system })

function from(remotePort: number, address = '127.0.0.1', localAddress = address): Peer {
  return { localAddress, localPort: 4747, remoteAddress: address, remotePort }
}

test.each([
  ['a child of the program, which carries no mark', from(50001), 'tab'],
  ['one that its parent left in the group, and that has closed its half', from(50002), 'tab'],
  ['one with the mark of another hub', from(50003), 'marked'],
  ['a person, over IPv6', from(50004, '::1'), 'outside'],
  ['a connection that a person and the program hold', from(50005), 'tab'],
  ['one that has gone', from(50006), 'unknown'],
  ['one of another user, which is not shown', from(50007, '::1'), 'outside'],
  ['another machine', from(50008, '192.0.2.8', '192.0.2.7'), 'outside'],
])('%s', async (_name, peer, expected) => {
  const origin = await peers.originOf(peer)
  expect(origin.kind === 'started' ? origin.what : origin.kind).toBe(expected)
})

test('those that ask at the same time share one look', async () => {
  asked.length = 0
  await Promise.all([from(50001), from(50002), from(50003)].map(peer => peers.originOf(peer)))
  expect(asked.filter(line => line.includes('lsof'))).toEqual([
    '/usr/sbin/lsof -nP -w -FpnT -iTCP:50001 -iTCP:50002 -iTCP:50003',
  ])
  expect(asked).toHaveLength(3)
})
