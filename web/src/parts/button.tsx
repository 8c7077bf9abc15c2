import type { ComponentProps } from 'react'

type Look = 'plain' | 'main' | 'quiet' | 'danger'
type Props = ComponentProps<'button'> & { look?: Look; small?: boolean }

const LOOKS: Record<Look, string> = {
  plain: 'border border-rule bg-sheet hover:bg-ai-wash',
  main: 'border border-ai bg-ai text-on-ai hover:brightness-110',
  quiet: 'border border-transparent text-soft hover:bg-ai-wash hover:text-ink',
  danger: 'border border-shu text-shu bg-sheet hover:bg-shu-wash',
}

export function Button({ look = 'plain', small = false, className = '', type = 'button', ...props }: Props) {
  const size = small ? 'h-7 px-2 text-sm max-md:h-9' : 'h-8 px-3 max-md:h-11'
  return (
    <button
      {...props}
      type={type}
      className={`inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md whitespace-nowrap disabled:opacity-50 disabled:hover:bg-inherit ${size} ${LOOKS[look]} ${className}`}
    />
  )
}
