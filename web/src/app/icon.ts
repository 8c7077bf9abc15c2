/** The count on the icon in the browser's tab: that is what is seen of a page among twenty others. */
export function showCount(waiting: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (!link) return
  const text = waiting > 9 ? '9+' : String(waiting)
  link.href = waiting === 0 ? '/icon.svg' : `data:image/svg+xml,${encodeURIComponent(withBadge(text))}`
}

/** The same drawing as public/icon.svg, smaller, with a number. */
const withBadge = (text: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#1d1f25"/>
<path d="M5 9h17M13.5 9v14M8 9l5.5 6.5L19 9" fill="none" stroke="#c8a876" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>
<circle cx="22" cy="22" r="10" fill="#e0b35c"/>
<text x="22" y="27" text-anchor="middle" font-family="system-ui,sans-serif" font-size="14" font-weight="700" fill="#16171b">${text}</text></svg>`
