// Pure: which grammar a file's lines are read with, by its name.

/** By the end of the name, after the last dot. */
const BY_END: Record<string, string> = {
  ...{ ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'tsx' },
  ...{ js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'jsx' },
  ...{ json: 'json', jsonc: 'json', json5: 'json', webmanifest: 'json' },
  ...{ html: 'markup', htm: 'markup', xml: 'markup', svg: 'markup', vue: 'markup', svelte: 'markup' },
  ...{ css: 'css', scss: 'css', less: 'css' },
  ...{ sh: 'bash', bash: 'bash', zsh: 'bash' },
  ...{ py: 'python', pyi: 'python', rb: 'ruby', go: 'go', rs: 'rust' },
  ...{ java: 'java', kt: 'kotlin', kts: 'kotlin', swift: 'swift', cs: 'csharp' },
  ...{ c: 'c', h: 'c', cc: 'cpp', cpp: 'cpp', hpp: 'cpp', cxx: 'cpp' },
  ...{ yaml: 'yaml', yml: 'yaml', toml: 'toml', sql: 'sql', md: 'markdown', mdx: 'markdown' },
}

const BY_NAME: Record<string, string> = {
  ...{ gemfile: 'ruby', rakefile: 'ruby', '.bashrc': 'bash', '.zshrc': 'bash', '.profile': 'bash' },
  ...{ 'cargo.lock': 'toml', 'uv.lock': 'toml', 'poetry.lock': 'toml' },
}

/** Undefined: its lines stay in one colour. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name]
  const end = name.slice(name.lastIndexOf('.') + 1)
  return name.includes('.') && Object.hasOwn(BY_END, end) ? BY_END[end] : undefined
}
