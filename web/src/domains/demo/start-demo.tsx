import { useMutation } from '@tanstack/react-query'
import { ExternalLink, Play } from 'lucide-react'
import { call } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { words as own } from './words.ts'

/** For a page with nothing on it yet. The link signs in once, so that it is made when it is asked for. */
export function StartDemo({ program }: { program: string }) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const demo = useMutation({ mutationFn: async () => (await call('demo.start', {})).value.url })
  return (
    <section className="mx-auto -mt-8 flex max-w-md flex-col items-center gap-3 px-6 pb-16 text-center">
      <p className="text-sm text-soft">{words.what}</p>
      {demo.data === undefined ? (
        <Button disabled={demo.isPending || cutOff !== undefined} title={cutOff} onClick={() => demo.mutate()}>
          <Play size={16} aria-hidden="true" />
          {demo.isPending ? words.starting : words.see}
        </Button>
      ) : (
        <a
          href={demo.data}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex h-8 items-center gap-1.5 rounded-md border border-ai bg-ai px-3 text-on-ai hover:brightness-110 max-md:h-11"
          // Used up by then.
          onClick={() => setTimeout(() => demo.reset())}
        >
          {words.open} <ExternalLink size={16} aria-hidden="true" />
        </a>
      )}
      {demo.isError && (
        <p role="alert" className="text-sm text-shu">
          {demo.error.message}
        </p>
      )}
      <CommandLine text={`${program} up --demo`} />
    </section>
  )
}
