// The page's half of its credential. The other half is a cookie that no script can read.
import { createStore } from './store.ts'
import { local } from './kept.ts'

const KEY = 'toryo.page'
const LINK = /[#&]login=([\w-]+)/

export const signedIn = createStore<'in' | 'out'>(local.getItem(KEY) === null ? 'out' : 'in')

// Another tab of this browser signs in and out for all of them.
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY) signedIn.set(newValue === null ? 'out' : 'in')
  })

/** Why a link did not sign in. */
export const signInProblem = createStore<string | undefined>(undefined)

export function pageToken(): string | null {
  return local.getItem(KEY)
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
  if (!navigator.cookieEnabled) throw new Error(NO_COOKIES[lang === 'ja' ? 'ja' : 'en'])
  const response = await fetch('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': lang },
    body: JSON.stringify({ token }),
  })
  const body = (await response.json().catch(() => ({}))) as { page_token?: string; error?: { message?: string } }
  if (!response.ok || body.page_token === undefined) throw new Error(body.error?.message ?? `${response.status}`)
  local.setItem(KEY, body.page_token)
  signedIn.set('in')
}

/** `used`: what was refused. Another tab may have signed in meanwhile, whose token is good. */
export function signedOut(used: string | null): void {
  if (local.getItem(KEY) !== used) return
  local.removeItem(KEY)
  signedIn.set('out')
}

const NO_COOKIES = {
  en: 'This browser blocks cookies of this address. The page needs one to sign in: allow it, then open the link again.',
  ja: 'このブラウザーはこのアドレスの Cookie をブロックしています。サインインには Cookie が必要です。許可してから、リンクを開き直してください。',
}
