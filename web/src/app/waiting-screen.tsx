// What a tab asks, and what is done with the answer: of two domains.
import type { InboxItem } from '#contract/inbox.ts'
import { keepAsDecision } from '../domains/inbox/actions.ts'
import { stepWords } from '../domains/inbox/step-words.ts'
import { WaitingTab } from '../domains/tabs/waiting-tab.tsx'
import { useOwnWords } from '../parts/use-words.ts'

export function WaitingScreen({ item, tabId }: { item: InboxItem; tabId: string }) {
  const { keep: label } = useOwnWords(stepWords)
  const keep = { label, run: (text: string) => keepAsDecision(item, text) }
  return <WaitingTab tabId={tabId} branch={item.title} lastLines={item.detail} keep={keep} />
}
