import { askNames, type Node, type Values } from './node.ts'

/**
 * Runs on bash 3.2, which macOS still has. Names from the hub go through `_toryo_names`: `compgen -W` would expand what is in
 * them.
 */
export function bash(nodes: Node[]): string {
  const keys = nodes.filter(node => node.path.length > 0).map(node => `'${node.path.join(' ')}'`)
  const valued = nodes.flatMap(node => valueCases(node))
  return `# bash completion for toryo: source <(toryo completion bash)
_toryo_names() {
  local name
  while IFS= read -r name; do
    case "$name" in "$cur"*) COMPREPLY+=("$name") ;; esac
  done < <($1)
}
_toryo() {
  local cur prev path word i at depth options words takes
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  path=''
  depth=1
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${path:+$path }\${COMP_WORDS[i]}"
    case "$word" in
      ${keys.join(' | ')}) path="$word"; depth=$((i + 1)) ;;
    esac
  done
  case "$path:$prev" in
${valued.join('\n')}
  esac
  case "$path" in
${nodes.map(optionCase).join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")); return ;;
  esac
  at=0
  for ((i = depth; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      -*) case " $takes " in *" \${COMP_WORDS[i]} "*) i=$((i + 1)) ;; esac ;;
      *) at=$((at + 1)) ;;
    esac
  done
  case "$path:$at" in
${nodes.flatMap(argumentCases).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o filenames -F _toryo toryo
`
}

function optionCase({ path, options }: Node): string {
  const flags = options.flatMap(option => option.flags)
  const takes = options.filter(option => option.hasValue).flatMap(option => option.flags)
  return `    '${path.join(' ')}') options='${flags.join(' ')}'; takes='${takes.join(' ')}' ;;`
}

function argumentCases(node: Node): string[] {
  const path = node.path.join(' ')
  const children = node.children.map(child => child.name)
  if (children.length > 0) return [`    '${path}':*) words='${children.join(' ')}' ;;`]
  return node.arguments.map(
    (argument, at) => `    '${path}':${argument.several ? '*' : at}) ${values(argument)}return ;;`,
  )
}

function valueCases(node: Node): string[] {
  return node.options
    .filter(option => option.hasValue)
    .map(option => {
      const patterns = option.flags.map(name => `'${node.path.join(' ')}:${name}'`)
      return `    ${patterns.join(' | ')}) ${values(option)}return ;;`
    })
}

function values({ choices, files, names }: Values): string {
  if (choices.length > 0) return `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); `
  if (names !== undefined) return `_toryo_names '${askNames('bash', names).replace(' 2>/dev/null', '')}' 2>/dev/null; `
  if (files === undefined) return ''
  return `COMPREPLY=($(compgen ${files === 'folder' ? '-d' : '-f'} -- "$cur")); `
}
