import { askNames, type Flag, type Node, quote, type Values } from './node.ts'

/** One function per command; each hands what follows its own word to the next. */
export function zsh(nodes: Node[]): string {
  return `#compdef toryo
# zsh completion for toryo: save it as _toryo in a folder of $fpath

_toryo_names() {
  local -a found
  found=(\${(f)"$(${askNames('zsh', '$1')})"})
  compadd -a found
}

${nodes.map(functionOf).join('\n\n')}

if [ "$funcstack[1]" = "_toryo" ]; then
  _toryo "$@"
else
  compdef _toryo toryo
fi
`
}

function functionOf(node: Node): string {
  const specs = [...node.options.flatMap(optionSpecs), ...argumentSpecs(node)]
  const lines = specs.map(spec => `    ${quote(spec)}`).join(' \\\n')
  if (node.children.length === 0) return `${nameOf(node.path)}() {\n  _arguments -s \\\n${lines}\n}`
  const children = node.children.map(({ name, about }) => `    ${quote(`${name}:${describe(about)}`)}`).join('\n')
  const cases = node.children.map(({ name }) => `        ${name}) ${nameOf([...node.path, name])} ;;`).join('\n')
  return `${nameOf(node.path)}() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
${children}
  )
  _arguments -C -s \\
${lines}
  case "$state" in
    command) _describe -t commands command commands ;;
    rest)
      case "$line[1]" in
${cases}
      esac ;;
  esac
}`
}

function argumentSpecs(node: Node): string[] {
  if (node.children.length > 0) return ['1: :->command', '*::argument:->rest']
  return node.arguments.map((argument, index) => `${argument.several ? '*' : index + 1}:argument:${action(argument)}`)
}

function optionSpecs(option: Flag): string[] {
  const value = option.hasValue ? `:value:${action(option)}` : ''
  return option.flags.map(name => {
    const others = option.flags.length > 1 ? `(${option.flags.join(' ')})` : ''
    return `${others}${name}${option.hasValue && name.startsWith('--') ? '=' : ''}[${describe(option.about)}]${value}`
  })
}

function action({ choices, files, names }: Values): string {
  if (choices.length > 0) return `(${choices.join(' ')})`
  if (names !== undefined) return `{_toryo_names ${names}}`
  if (files === undefined) return ' '
  return files === 'folder' ? '_files -/' : '_files'
}

/** Colons and brackets have a meaning in zsh's descriptions. */
function describe(about: string): string {
  return about.replaceAll(/[[\]:\\]/g, character => `\\${character}`)
}

function nameOf(path: readonly string[]): string {
  return ['_toryo', ...path].join('_')
}
