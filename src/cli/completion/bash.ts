import type { Node, Values } from './node.ts'

/** Runs on bash 3.2, which macOS still has. */
export function bash(nodes: Node[]): string {
  const keys = nodes.filter(node => node.path.length > 0).map(node => `'${node.path.join(' ')}'`)
  const valued = nodes.flatMap(node => valueCases(node))
  const words = nodes.map(node => {
    const options = node.options.flatMap(option => option.names)
    const names = node.children.map(child => child.name)
    const files = node.arguments.find(argument => argument.files)?.files
    return `    '${node.path.join(' ')}')
      options='${options.join(' ')}'
      words='${[...names, ...node.arguments.flatMap(argument => argument.choices)].join(' ')}'
      files='${files ?? ''}' ;;`
  })
  return `# bash completion for toryo: source <(toryo completion bash)
_toryo() {
  local cur prev path word i options words files
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  path=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${path:+$path }\${COMP_WORDS[i]}"
    case "$word" in
      ${keys.join(' | ')}) path="$word" ;;
    esac
  done
  case "$path:$prev" in
${valued.join('\n')}
  esac
  case "$path" in
${words.join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")); return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  case "$files" in
    file) COMPREPLY+=($(compgen -f -- "$cur")) ;;
    folder) COMPREPLY+=($(compgen -d -- "$cur")) ;;
  esac
}
complete -o filenames -F _toryo toryo
`
}

function valueCases(node: Node): string[] {
  return node.options
    .filter(option => option.hasValue)
    .map(option => {
      const patterns = option.names.map(name => `'${node.path.join(' ')}:${name}'`)
      return `    ${patterns.join(' | ')}) ${values(option)}return ;;`
    })
}

function values({ choices, files }: Values): string {
  if (choices.length > 0) return `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); `
  if (files === undefined) return ''
  return `COMPREPLY=($(compgen ${files === 'folder' ? '-d' : '-f'} -- "$cur")); `
}
