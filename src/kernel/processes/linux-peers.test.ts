import { endianness } from 'node:os'
import { describe, expect, test } from 'vitest'
import { findRow } from './linux-peers.ts'
import { isOwnAddress } from './peer.ts'

// As the kernel prints them: a listener, both ends of a connection over 127.0.0.1, and one that its process has closed.
const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:128B 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 31337 1 0000000000000000 100 0 0 10 0
   1: 0100007F:128B 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 31400 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:D431 0100007F:128B 05 00000000:00000000 00:00000000 00000000  1000        0 31401 1 0000000000000000 20 4 30 10 -1
   3: 0200007F:D431 0100007F:128B 06 00000000:00000000 03:00000A2F 00000000     0        0 0 3 0000000000000000
`
// Over ::1, and over 127.0.0.1 from a socket of the newer kind.
const TCP6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000001000000:D432 00000000000000000000000001000000:128B 01 00000000:00000000 00:00000000 00000000  1000        0 31500 1 0000000000000000 20 4 30 10 -1
   1: 0000000000000000FFFF00000100007F:D433 0000000000000000FFFF00000100007F:128B 01 00000000:00000000 00:00000000 00000000  1000        0 31501 1 0000000000000000 20 4 30 10 -1
`

/** As the hub's own end sees it. */
function from(remoteAddress: string, remotePort: number, localAddress: string) {
  return { localAddress, localPort: 4747, remoteAddress, remotePort }
}

describe.runIf(endianness() === 'LE')('the table of connections', () => {
  test('is read by both ends, addresses and all, in any state', () => {
    expect(findRow(TCP, from('127.0.0.1', 54321, '127.0.0.1'), 4)).toEqual({ inode: '31401', uid: '1000' })
    // The same ports from another address are another connection.
    expect(findRow(TCP, from('127.0.0.2', 54321, '127.0.0.1'), 4)).toEqual({ inode: '0', uid: '0' })
    expect(findRow(TCP, from('127.0.0.3', 54321, '127.0.0.1'), 4)).toBeUndefined()
    // A hub that listens at every address sees IPv4 in the form of IPv6.
    expect(findRow(TCP, from('::ffff:127.0.0.1', 54321, '::ffff:127.0.0.1'), 4)?.inode).toBe('31401')
  })

  test('has IPv4 in either of its forms', () => {
    expect(findRow(TCP6, from('::1', 54322, '::1'), 6)?.inode).toBe('31500')
    expect(findRow(TCP6, from('127.0.0.1', 54323, '127.0.0.1'), 6)?.inode).toBe('31501')
    expect(findRow(TCP, from('::1', 54322, '::1'), 4)).toBeUndefined()
  })
})

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['192.0.2.7', true], // Our own end, in this table.
  ['192.0.2.8', false],
  ['2001:db8::8', false],
])('%s is this machine: %s', (remoteAddress, own) => {
  expect(isOwnAddress({ localAddress: '192.0.2.7', localPort: 1, remoteAddress, remotePort: 2 })).toBe(own)
})
