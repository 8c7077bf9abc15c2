// The licences of the npm libraries that are inside our bundles.
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from './sources.js'

/**
 * The text of THIRD_PARTY_LICENSES.txt.
 * @param {import('esbuild').Metafile[]} metafiles
 * @param {string[]} [modules] files that something else put in
 */
export function licences(metafiles, modules = []) {
  const others = modules.map(packageOf).filter(folder => folder !== undefined)
  const parts = [...new Set([...packagesIn(metafiles), ...others])].map(describe).sort((a, b) => (a < b ? -1 : 1))
  return ['Toryo contains code of these packages.\n', ...new Set(parts)].join(`\n${'-'.repeat(80)}\n\n`)
}

/** Folders of packages of which at least one byte was put out. @param {import('esbuild').Metafile[]} metafiles */
function packagesIn(metafiles) {
  const outputs = metafiles.flatMap(metafile => Object.values(metafile.outputs))
  const used = outputs.flatMap(output =>
    Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  )
  return new Set(used.map(([file]) => packageOf(file)).filter(folder => folder !== undefined))
}

/** @param {string} file */
function packageOf(file) {
  const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]
  return folder && path.resolve(ROOT, folder)
}

/** @param {string} folder */
function describe(folder) {
  const about = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const files = fs.readdirSync(folder).filter(name => /^(licen[cs]e|copying|notice)/i.test(name))
  const texts = files.map(name => fs.readFileSync(path.join(folder, name), 'utf8').trim())
  if (texts.length === 0) texts.push(`The package has no licence file; it names ${about.license} as its licence.`)
  return `${about.name} ${about.version} (${about.license})\n\n${texts.join('\n\n')}\n`
}
