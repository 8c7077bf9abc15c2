import { sentenceOf } from '../domains/activity/event-row.tsx'
import { whoDid, whoIs } from '../domains/activity/who-is.ts'
import { words as activityWords } from '../domains/activity/words.ts'
import { Replay } from '../domains/replay/replay.tsx'
import { SafeText } from '../parts/safe-text.tsx'
import { useOwnWords } from '../parts/use-words.ts'

/** Events are put into words as in Activity. */
export function ReplayView() {
  const words = useOwnWords(activityWords)
  return (
    <Replay
      who={(caller, names) => whoIs(caller, names, words)}
      sentence={(event, names) => (
        <SafeText text={`${whoDid(event, names, words)}: ${sentenceOf(event, names, words)}`} />
      )}
    />
  )
}
