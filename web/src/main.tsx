import './tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { followTheme } from './app/theme.ts'
import { signIn, takeLink } from './hub/sign-in.ts'
import { loadWords } from './words/words.ts'

// Before anything else: the link must leave the address.
const link = takeLink()
followTheme()
await loadWords()
let problem: string | undefined
if (link !== undefined)
  await signIn(link, document.documentElement.lang).catch((error: Error) => {
    problem = error.message
  })
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App problem={problem} />
    </StrictMode>,
  )
