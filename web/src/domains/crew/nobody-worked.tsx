import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Empty } from '../../parts/empty.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { runCrew } from './run-crew-store.ts'
import { crewWords } from './words.ts'

/** What would be here, and one click to a first crew. */
export function NobodyWorked({ project, title }: { project: string | null; title: string }) {
  const words = useOwnWords(crewWords)
  const cutOff = useCutOff()
  const sample = () => runCrew.set({ project, prompt: words.samplePrompt, reviewers: 2 })
  return (
    <Empty title={title} hint={words.emptyHint} cli={words.emptyCli}>
      <Button look="main" disabled={cutOff !== undefined} title={cutOff} onClick={sample} data-sample>
        {words.sample}
      </Button>
    </Empty>
  )
}
