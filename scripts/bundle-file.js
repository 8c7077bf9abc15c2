// Makes one TypeScript file runnable by node, for benchmarks, generators and tests that need a process of their own.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { ROOT } from './sources.js'

/**
 * Writes the bundle below .cache/, where node finds our node_modules, and gives its path. Our own files keep their
 * `import.meta.url`, so that what they find relative to themselves is still there.
 * @param {string} file
 */
export async function bundleFile(file) {
  const outfile = path.join(ROOT, '.cache', 'bundles', `${path.basename(file, '.ts')}-${process.pid}.mjs`)
  await build({
    absWorkingDir: ROOT,
    entryPoints: [file],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: [keepMetaUrl],
  })
  return outfile
}

/** @type {import('esbuild').Plugin} */
const keepMetaUrl = {
  name: 'keep-meta-url',
  setup(context) {
    context.onLoad({ filter: /\.[jt]s$/ }, async ({ path: source }) => {
      const text = await readFile(source, 'utf8')
      const url = JSON.stringify(pathToFileURL(source).href)
      const dirname = JSON.stringify(path.dirname(source))
      return {
        contents: text.replaceAll('import.meta.url', url).replaceAll('import.meta.dirname', dirname),
        loader: source.endsWith('.ts') ? 'ts' : 'js',
      }
    })
  },
}
