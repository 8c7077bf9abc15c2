import { sentenceOf } from '../domains/activity/event-row.tsx'
import { words as activityWords } from '../domains/activity/words.ts'
import { Answered } from '../domains/inbox/answered.tsx'
import { SafeText } from '../parts/safe-text.tsx'
import { useOwnWords } from '../parts/use-words.ts'

/** Events are put into words as in Activity. */
export function AnsweredToday() {
  const words = useOwnWords(activityWords)
  return <Answered sentence={(event, names) => <SafeText text={sentenceOf(event, names, words)} />} />
}
