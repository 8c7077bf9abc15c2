/** The key that does the same; decoration for those who see it, since the commands' list says it, too. */
export function KeyHint({ keys, always = false }: { keys: string; always?: boolean }) {
  return (
    <span aria-hidden="true" className={`gap-0.5 ${always ? 'inline-flex' : 'hidden md:inline-flex'}`}>
      {keys.split(' ').map(key => (
        <kbd
          key={key}
          className="min-w-4 rounded-[4px] border border-current/30 px-1 text-center font-sans text-[11px] leading-4"
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
