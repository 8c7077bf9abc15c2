import { askNames, type Flag, type Node, quote, type Values } from './node.ts'

export function fish(nodes: Node[]): string {
  return `# fish completion for toryo: save it as ~/.config/fish/completions/toryo.fish
function __toryo_at
    set -l words (commandline -opc | string match --invert -- '-*')
    set -e words[1]
    set -l wanted (string split --no-empty ' ' -- $argv[1])
    for index in (seq (count $wanted))
        test "$words[$index]" = "$wanted[$index]"; or return 1
    end
    if test "$argv[2]" = group
        test (count $words) -eq (count $wanted)
    end
end

complete -c toryo -f
${nodes.flatMap(linesOf).join('\n')}
`
}

function linesOf(node: Node): string[] {
  const path = node.path.join(' ')
  const here = `complete -c toryo -n ${quote(`__toryo_at "${path}"`)}`
  const group = `complete -c toryo -n ${quote(`__toryo_at "${path}" group`)}`
  return [
    ...node.children.map(({ name, about }) => `${group} -a ${quote(name)} -d ${quote(about)}`),
    // The program's own options are repeated for each command.
    ...node.options.map(option => `${path === '' ? group : here}${flags(option)}`),
    ...node.arguments.filter(hasValues).map(argument => `${here}${values(argument)}`),
  ]
}

function flags(option: Flag): string {
  const names = option.flags.map(name => (name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`))
  const value = option.hasValue ? ` ${option.files === 'file' ? '-r' : '-x'}${values(option)}` : ''
  return `${names.join('')}${value}${option.about ? ` -d ${quote(option.about)}` : ''}`
}

function values({ choices, files, names }: Values): string {
  if (choices.length > 0) return ` -a ${quote(choices.join(' '))}`
  if (names !== undefined) return ` -a ${quote(`(${askNames('fish', names)})`)}`
  if (files === undefined) return ''
  return files === 'folder' ? ` -a ${quote('(__fish_complete_directories)')}` : ' -F'
}

function hasValues({ choices, files, names }: Values): boolean {
  return choices.length > 0 || files !== undefined || names !== undefined
}
