// The words for finding the process at the other end of a connection. How it is done differs from system to system: linux-peers.ts
// and macos-peers.ts.
import { networkInterfaces } from 'node:os'
import type { ProcessInfo } from '#system/processes.ts'

/** Both ends of a connection as our own sees them; undefined for a Unix socket, and for a closed connection. */
export type Peer = {
  readonly localAddress: string | undefined
  readonly localPort: number | undefined
  readonly remoteAddress: string | undefined
  readonly remotePort: number | undefined
}

/**
 * `elsewhere`: another machine. `gone`: it was on this machine, and no process has it any more. `hidden`: a process whose files we
 * may not look at, of another user for instance.
 */
export type Holders = 'elsewhere' | 'gone' | 'hidden' | readonly number[]

/** The running processes, as far as they were looked at. */
export interface ProcessView {
  find(pid: number): ProcessInfo | undefined
  /** The mark in the environment that it was started with. */
  markOf(pid: number): string | undefined
  /** The mark once more, as a number that stays with what clears its environment; undefined where there is none. */
  limitOf(pid: number): number | undefined
}

export interface PeerSystem {
  /** A new look at the processes. What it has found stays as it was found. */
  view(): Promise<ProcessView>
  /** Which process holds the other end of each. */
  holders(peers: readonly Peer[], suspects: Suspects): Promise<Holders[]>
}

/** Those that were started by a process that we look for. */
export type Suspects = {
  includes(pid: number): boolean
  /** Where they begin. A connection can be held by several, and one of these is enough: they are looked at first. */
  readonly roots: readonly number[]
}

/** Canonical, so that the same address compares equal however it is written: IPv4 is as it is in IPv6. */
export function addressBytes(address: string): string {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  if (plain.includes('.')) {
    const bytes = plain.split('.').map(part => Number(part).toString(16).padStart(2, '0'))
    return `${'0'.repeat(20)}ffff${bytes.join('')}`
  }
  const [before = '', after] = plain.split('::')
  const words = (part: string) => part.split(':').filter(Boolean)
  const head = words(before)
  const tail = words(after ?? '')
  const gap = after === undefined ? [] : Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...gap, ...tail].map(word => word.toLowerCase().padStart(4, '0')).join('')
}

/** Whether the peer that connects from there is on this machine. */
export function isOwnAddress({ localAddress, remoteAddress }: Peer): boolean {
  if (remoteAddress === undefined) return true
  const remote = addressBytes(remoteAddress)
  if (remote === addressBytes('::1') || remote.startsWith(`${'0'.repeat(20)}ffff7f`)) return true
  if (localAddress !== undefined && addressBytes(localAddress) === remote) return true
  const own = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return own.some(({ address }) => addressBytes(address) === remote)
}
