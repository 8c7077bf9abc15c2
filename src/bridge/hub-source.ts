// Where this bridge's hub is, asked again at every try: the state file of a database, the registered hub, or an address that
// was given.
import { comesFromHub } from '#client/ancestry.ts'
import { ClientError } from '#client/errors.ts'
import type { Text } from '#contract/errors.ts'
import { type Env, type Target, userHome } from '#client/locate.ts'
import type { LinkEndpoint } from '#client/frame-link/link.ts'
import { ensureHub } from '#client/start-hub.ts'
import { type HubState, readState } from '#client/state-file.ts'
import { checkFolder, readSecretFile } from '#client/trusted-path.ts'
import { readMcpState } from '#registration/mcp-state.ts'
import { TORYO_RUN_ID, TORYO_TAB_ID, TORYO_TICKET, TORYO_TICKET_FILE } from '#system/environment-names.ts'

export type HubSource = {
  find(): LinkEndpoint | undefined
  /** Absent where the hub is another program's to start. */
  start?: (signal: AbortSignal) => Promise<LinkEndpoint>
  /** No hub could be reached for some time. Once for each time that one was. */
  missed?: () => void
}

export function hubOfDatabase(target: Target, env: Env): HubSource {
  // A hub gives what it started no pass for its socket: there is no need to ask.
  const mustBeSeen = comesFromHub(env)
  const endpoint = ({ url, token, socket, certificate }: HubState): LinkEndpoint => {
    const ticket = readTicket(env)
    const local = ticket === undefined && !mustBeSeen && socket !== undefined ? { socket } : {}
    const pinned = certificate !== undefined ? { certificate } : {}
    return { url, credential: ticket ?? token, token, ...local, ...pinned }
  }
  // What a run or a tab starts would not outlive it, and the hub must; and a run ends with its hub.
  const mayStart = !env[TORYO_RUN_ID] && !env[TORYO_TAB_ID]
  return {
    find() {
      // The folder of a hub that never ran may not exist yet; the process that starts one makes it.
      checkFolder(target.home)
      const state = readState(target)
      return state && endpoint(state)
    },
    ...(mayStart && { start: async (signal: AbortSignal) => endpoint(await ensureHub(target, { signal })) }),
  }
}

/** The hub that `toryo up` has registered. It is a person's to start, so that we never do. */
export function registeredHub(env: Env, missed: () => void): HubSource {
  return {
    missed,
    find() {
      const state = readMcpState(userHome(env))
      if (!state) return undefined
      const { url, token, certificate } = state
      return { url, credential: readTicket(env) ?? token, token, ...(certificate !== undefined && { certificate }) }
    },
  }
}

export function hubAtUrl(url: string, tokenFile: string | undefined, env: Env): HubSource {
  return {
    find() {
      const token = tokenFile === undefined ? undefined : readOneLine(tokenFile)
      const credential = readTicket(env) ?? token
      return credential === undefined ? undefined : { url, credential, ...(token !== undefined && { token }) }
    },
  }
}

/** In place of the operator's token: what a run or tab may do, and no more. */
function readTicket(env: Env): string | undefined {
  if (env[TORYO_TICKET]) return env[TORYO_TICKET]
  const file = env[TORYO_TICKET_FILE]
  return file ? readOneLine(file) : undefined
}

const MISSING: Text = { en: 'no such file', ja: 'ファイルがありません' }
const MALFORMED: Text = {
  en: 'it does not hold one token on one line',
  ja: '1 行に 1 つのトークンという形式ではありません',
}

function readOneLine(file: string): string {
  const text = readSecretFile(file)?.trim()
  if (text && /^[\x21-\x7e]{1,1024}$/.test(text)) return text
  throw ClientError.NO_TOKEN({ path: file, why: text === undefined ? MISSING : MALFORMED })
}
