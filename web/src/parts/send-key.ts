import type { KeyboardEvent } from 'react'

/** Ctrl+Enter or ⌘+Enter sends what is written; an Enter that ends a Japanese conversion does not. */
export function onSendKey(send: () => unknown): (event: KeyboardEvent) => void {
  return event => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
}
