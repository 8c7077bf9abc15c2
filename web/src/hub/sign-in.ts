// The page's half of its credential. The other half is a cookie that no script can read.
import { createStore } from './store.ts'

const KEY = 'toryo.page'
const LINK = /[#&]login=([\w-]+)/

export const signedIn = createStore<'in' | 'out'>(localStorage.getItem(KEY) === null ? 'out' : 'in')

/** Why a link did not sign in. */
export const signInProblem = createStore<string | undefined>(undefined)

export function pageToken(): string | null {
  return localStorage.getItem(KEY)
}

/** Out of the address before anything else: it must not get into the history, nor be used twice by a reload. */
export function takeLink(): string | undefined {
  const token = LINK.exec(location.hash)?.[1]
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return token
}

/** The token of a link that a person pasted, or the token itself. */
export function tokenIn(text: string): string | undefined {
  return LINK.exec(text)?.[1] ?? /^\s*(lgn_[\w-]+)\s*$/.exec(text)?.[1]
}

/** Throws the hub's own sentence. */
export async function signIn(token: string, lang: string): Promise<void> {
  const response = await fetch('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': lang },
    body: JSON.stringify({ token }),
  })
  const body = (await response.json().catch(() => ({}))) as { page_token?: string; error?: { message?: string } }
  if (!response.ok || body.page_token === undefined) throw new Error(body.error?.message ?? `${response.status}`)
  localStorage.setItem(KEY, body.page_token)
  signedIn.set('in')
}

export function signedOut(): void {
  localStorage.removeItem(KEY)
  signedIn.set('out')
}
