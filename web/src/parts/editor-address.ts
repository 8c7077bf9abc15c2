/** `{path}`: the folder, from its first slash on; of Windows `/C:/…`. Whatever is in a name is part of the path, and nothing else. */
export function editorAddress(template: string, folder: string): string {
  const parts = folder.replaceAll('\\', '/').split('/').map(encodeURIComponent)
  const path = parts.join('/').replace(/^([A-Za-z])%3A/, '/$1:')
  return template.replaceAll('{path}', () => path)
}
