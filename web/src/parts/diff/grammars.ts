// Loaded when a diff is there and nothing else is to be done. The grammars give parts of a text; the elements are ours.
import { refractor } from 'refractor/core'
import bash from 'refractor/bash'
import cpp from 'refractor/cpp'
import css from 'refractor/css'
import csharp from 'refractor/csharp'
import go from 'refractor/go'
import java from 'refractor/java'
import json from 'refractor/json'
import kotlin from 'refractor/kotlin'
import markdown from 'refractor/markdown'
import markup from 'refractor/markup'
import python from 'refractor/python'
import ruby from 'refractor/ruby'
import rust from 'refractor/rust'
import sql from 'refractor/sql'
import swift from 'refractor/swift'
import toml from 'refractor/toml'
import tsx from 'refractor/tsx'
import yaml from 'refractor/yaml'
import type { Token } from './colours.ts'

// tsx brings javascript, jsx and typescript; cpp brings c.
for (const language of [bash, cpp, css, csharp, go, java, json, kotlin, markdown, markup, python, ruby])
  refractor.register(language)
for (const language of [rust, sql, swift, toml, tsx, yaml]) refractor.register(language)

type Work = { code: string; grammar: unknown; language: string; tokens?: Token[] }
/** What it is made of. Its own type has only what makes elements. */
type Prism = {
  languages: Record<string, unknown>
  tokenize: (code: string, grammar: unknown) => Token[]
  hooks: { run: (name: 'before-tokenize' | 'after-tokenize', work: Work) => void }
}
const prism = refractor as unknown as Prism

/** The whole text as one part where there is no grammar. */
export function tokenize(code: string, language: string): readonly Token[] {
  if (!refractor.registered(language)) return [code]
  const grammar = prism.languages[language]
  const work: Work = { code, grammar, language }
  prism.hooks.run('before-tokenize', work)
  work.tokens = prism.tokenize(work.code, work.grammar)
  // Some languages are put right after the first reading.
  prism.hooks.run('after-tokenize', work)
  return work.tokens
}
