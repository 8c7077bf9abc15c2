// Notices of the browser: asked for in the settings, only while the page is hidden, once for each item. No React.
import { createStore } from '../../hub/store.ts'

const KEY = 'toryo.notices'

export type Notice = { id: string; title: string; body: string | null }

/** Whether the person asked for them, in this browser. */
export const wantsNotices = createStore(localStorage.getItem(KEY) === 'on')

export const canNotify = (): boolean => 'Notification' in window

/** False: the browser refuses. */
export async function chooseNotices(isOn: boolean): Promise<boolean> {
  const isAllowed = isOn && canNotify() && (await Notification.requestPermission()) === 'granted'
  wantsNotices.set(isAllowed)
  if (isAllowed) localStorage.setItem(KEY, 'on')
  else localStorage.removeItem(KEY)
  return isAllowed || !isOn
}

/** Those that were not there when this page looked last. */
export function fresh(notices: readonly Notice[], known: ReadonlySet<string>): Notice[] {
  return notices.filter(({ id }) => !known.has(id))
}

/** `open` is called when it is clicked. The texts are texts: browsers draw no markup in them. */
export function notifyOutside({ id, title, body }: Notice, open: () => void): void {
  if (!wantsNotices.get() || document.visibilityState === 'visible' || !canNotify()) return
  if (Notification.permission !== 'granted') return
  // Two pages of one browser show one.
  const notice = new Notification(title, { tag: id, ...(body !== null && { body: body.slice(0, 200) }) })
  notice.addEventListener('click', () => {
    window.focus()
    open()
    notice.close()
  })
}
