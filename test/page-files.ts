// A build of the dashboard as the hub sees it, for tests of how it is served.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export function writePage(folder: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const script = '// hello from the page\n'
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html><link rel="stylesheet" nonce="__NONCE__"></html>')
  writeFileSync(join(folder, 'assets', 'index-abc.js'), script)
  writeFileSync(join(folder, 'assets', 'index-abc.js.gz'), gzipSync(script))
  writeFileSync(join(folder, 'first-paint.js'), '')
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(folder, 'manifest.webmanifest'), '{}')
}
