// Text that an agent or a person wrote, with its lists, code and links drawn as such. It is text first: the parser is loaded when there is
// something to draw, and until then, or where it gives up, the text stands as it was written.
import { Suspense } from 'react'
import { SafeText } from '../safe-text.tsx'
import { later } from '../later.tsx'
import { Otherwise } from '../otherwise.tsx'

const Rendered = later(async () => (await import('./rendered.tsx')).Rendered)

/** Longer texts are files, not reports. */
const MOST = 20_000
const MARKUP = /[*_`~|[\]]|^ {0,3}(?:#{1,6} |> ?|[-+] |\d{1,9}[.)] )|https?:\/\/|www\./m

export function Markdown({ text }: { text: string }) {
  const plain = (
    <span className="whitespace-pre-wrap">
      <SafeText text={text} />
    </span>
  )
  if (text.length > MOST || !MARKUP.test(text)) return plain
  return (
    <Otherwise shown={plain}>
      <Suspense fallback={plain}>
        <Rendered text={text} />
      </Suspense>
    </Otherwise>
  )
}
