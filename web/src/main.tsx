import './tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { followTheme } from './app/theme.ts'
import { signIn, signInProblem, takeLink } from './hub/sign-in.ts'
import { loadWords } from './words/words.ts'

// Before anything else: the link must leave the address.
const link = takeLink()
followTheme()
await loadWords()
if (link !== undefined)
  await signIn(link, document.documentElement.lang).catch((error: Error) => {
    signInProblem.set(error.message)
  })
// A link that is pasted into the address of an open page loads nothing.
window.addEventListener('hashchange', () => {
  const next = takeLink()
  if (next !== undefined)
    void signIn(next, document.documentElement.lang).catch((error: Error) => signInProblem.set(error.message))
})
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
