import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useWords } from './use-words.ts'

/** A command to copy. */
export function CommandLine({ text }: { text: string }) {
  const words = useWords()
  const [copied, setCopied] = useState(false)
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 2000)
    })
  }
  const Icon = copied ? Check : Copy
  return (
    <div className="flex max-w-full items-center gap-1 rounded-md border border-line bg-sunk pl-3 text-left">
      <code className="min-w-0 flex-1 overflow-x-auto py-1.5 font-mono text-xs whitespace-nowrap" tabIndex={0}>
        {text}
      </code>
      <button
        type="button"
        aria-label={copied ? words.error.copied : `${words.needs.copy}: ${text}`}
        className="shrink-0 rounded-md p-2 text-soft hover:text-ink max-md:p-3.5"
        onClick={copy}
      >
        <Icon size={14} aria-hidden="true" />
      </button>
    </div>
  )
}
