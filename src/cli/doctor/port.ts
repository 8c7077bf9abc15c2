// Whether `toryo up` gets the port that people know it by.
import net from 'node:net'
import { portHolder } from '#system/port-holder.ts'
import { USUAL_PORT } from '#contract/limits.ts'
import { workTexts } from '../texts-doctor-work.ts'
import type { Finding } from './finding.ts'

/** `hubs`: addresses of hubs that may well have it. */
export async function portFindings(hubs: readonly (string | undefined)[], port = USUAL_PORT): Promise<Finding[]> {
  if (hubs.some(url => url !== undefined && new URL(url).port === String(port))) return []
  if (!(await answers(port))) return []
  const text = workTexts.portTaken(port, portHolder(port))
  return [{ check: 'port', level: 'warn', text, fix: workTexts.portFix }]
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = net.connect({ port, host: '127.0.0.1' })
    const end = (taken: boolean) => {
      socket.destroy()
      resolve(taken)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
