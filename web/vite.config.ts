import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Packages of the first load, which needs all of them anyway; without what only later views ask of them. */
const BASE =
  /node_modules[\\/](?:react|react-dom|scheduler|wouter|regexparam|@tanstack)[\\/](?!.*[\\/](?:queriesObserver|useQueries|infiniteQueryObserver|infiniteQueryBehavior|useInfiniteQuery|mutationObserver|useMutation)\.js)|lucide-react[\\/]dist[\\/]esm[\\/](?:shared|Icon|context|createLucideIcon)/

type Graph = { getModuleInfo(id: string): { importedIds: readonly string[]; code: string | null } | null }

/** Our own modules that the page imports, one through the other, and the icons that they name. */
let first: Set<string> | undefined
function firstOf(graph: Graph): Set<string> {
  const found = new Set<string>()
  const visit = (id: string) => {
    if (found.has(id) || id.includes('node_modules')) return
    found.add(id)
    const info = graph.getModuleInfo(id)
    for (const names of info?.code?.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g) ?? [])
      for (const name of names[1]?.split(',') ?? []) found.add(iconFile(name.trim().split(/\s/)[0] ?? ''))
    for (const next of info?.importedIds ?? []) visit(next)
  }
  visit(here('src/app/app.tsx'))
  return found
}

/** GitPullRequestArrow → git-pull-request-arrow.mjs */
function iconFile(name: string): string {
  return `${name.replace(/(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Z])/g, '-').toLowerCase()}.mjs`
}

function isFirst(id: string, graph: Graph): boolean {
  first ??= firstOf(graph)
  const icon = /lucide-react[\\/].*[\\/]icons[\\/]([^\\/]+)$/.exec(id)?.[1]
  return BASE.test(id) || first.has(icon ?? id)
}

export default defineConfig({
  root: here('.'),
  cacheDir: here('../.cache/vite'),
  plugins: [react(), tailwind()],
  // The `imports` of a workspace cannot lead out of it.
  resolve: {
    alias: [
      { find: /^#contract\//, replacement: here('../src/contract/') },
      // For versions of React that do not have it; ours does.
      { find: /^use-sync-external-store\/shim\/index\.js$/, replacement: 'react' },
      { find: /^(?:hastscript|parse-entities)$/, replacement: here('src/parts/diff/no-elements.ts') },
    ],
  },
  // The hub puts the nonce of each response in its place.
  html: { cspNonce: '__NONCE__' },
  build: {
    target: 'es2023',
    manifest: true,
    // An inlined file would be a data: URL, which the policy allows for images alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What the first view needs is one file: left alone, each pair of views that shares a button would make a file of its own,
        // and forty small files compress worse than one by 7 kB.
        codeSplitting: {
          groups: [{ debugName: 'first load', name: (id, graph) => (isFirst(id, graph) ? 'base' : null) }],
        },
      },
    },
  },
})
