import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Code of the first load, which needs all of it anyway. */
const BASE =
  /node_modules[\\/](?:react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|@tanstack)[\\/]|lucide-react[\\/]dist[\\/]esm[\\/](?:shared|Icon|context|createLucideIcon)|web[\\/]src[\\/](?:hub[\\/](?:batch|call|event-line|live|sign-in|store)\.|parts[\\/](?:announcer|answer-form|bars|button|can-write|command|command-line|dialog|empty|failure|field|key-hint|live-time|notices|safe-text|select|use-\w+)\.|words[\\/](?:en|words)\.)/

export default defineConfig({
  root: here('.'),
  cacheDir: here('../.cache/vite'),
  plugins: [react(), tailwind()],
  // The `imports` of a workspace cannot lead out of it.
  resolve: {
    alias: [
      { find: /^#contract\//, replacement: here('../src/contract/') },
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
        // What every view needs is one file: left alone, each pair of views that shares a button would make a file of its own.
        codeSplitting: { groups: [{ name: 'base', test: BASE }] },
      },
    },
  },
})
