import { useMemo, useRef } from 'react'
import { type Command, useCommands } from '../../parts/command.ts'
import { notify } from '../../parts/notices.tsx'
import type { Wish } from './add-dialog.tsx'
import { type Place, replacing, useDecisionHere } from './place.ts'
import { words as own } from './words.ts'

export function useMemoryCommands(
  place: Place | undefined,
  topic: { id: number; title: string } | undefined,
  setWish: (wish: Wish) => void,
): void {
  const decision = useDecisionHere(place)
  const now = useRef({ topic, decision })
  now.current = { topic, decision }
  const commands = useMemo((): Command[] => {
    const refuse = (text: string) => notify({ kind: 'failed', text })
    return [
      {
        id: 'memory.decide',
        title: w => own[w.code].addDecision,
        keys: ['d'],
        run: () => setWish({ kind: 'decision', topic: now.current.topic }),
      },
      {
        id: 'memory.topic',
        title: w => own[w.code].newTopic,
        keys: ['t'],
        run: () => setWish({ kind: 'topic', parent: now.current.topic }),
      },
      {
        id: 'memory.entry',
        title: w => own[w.code].addEntry,
        keys: ['n'],
        run: () => {
          const { topic } = now.current
          if (topic) setWish({ kind: 'entry', topic })
          else refuse(own[currentCode()].chooseTopic)
        },
      },
      {
        id: 'memory.supersede',
        title: w => own[w.code].supersede,
        keys: ['S'],
        run: () => {
          const { decision } = now.current
          const words = own[currentCode()]
          if (!decision) return refuse(words.chooseDecision)
          if (decision.superseded_by !== undefined) return refuse(words.isReplaced(decision.superseded_by))
          return setWish(replacing(decision))
        },
      },
    ]
  }, [setWish])
  useCommands(commands)
}

const currentCode = () => (document.documentElement.lang === 'ja' ? 'ja' : 'en')
