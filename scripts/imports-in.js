// Finds the imports of a TypeScript source. Our compiler has no JavaScript interface, so this reads the words itself; it knows
// comments, strings, templates and regular expressions well enough not to be fooled by what is written inside of them.

/** @typedef {{ kind: 'word' | 'string' | 'other', text: string, line: number }} Token */

/**
 * `load`: the file is loaded with this one. `later`: when the code asks for it, or never. `type`: the compiler removes it.
 * @typedef {'load' | 'later' | 'type'} When
 */

/**
 * Static imports, `export … from`, `import('…')` as code or as type, and `require('…')`.
 * @param {string} source
 */
export function importsIn(source) {
  const tokens = tokenize(source)
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'word' || tokens[at - 1]?.text === '.') return []
    const found = specifierAfter(tokens, at)
    return found === undefined ? [] : [{ specifier: found.text, line: found.line, when: whenOf(tokens, at) }]
  })
}

/** With verbatimModuleSyntax `import { type A }` still loads the file; `import type` alone does not. @param {Token[]} tokens @param {number} at @returns {When} */
function whenOf(tokens, at) {
  const [next, after] = [tokens[at + 1]?.text, tokens[at + 2]?.text]
  if (next === '(') return 'later'
  return next === 'type' && after !== 'from' && after !== ',' ? 'type' : 'load'
}

/** @param {Token[]} tokens @param {number} at */
function specifierAfter(tokens, at) {
  const word = tokens[at]?.text
  const next = tokens[at + 1]
  if (word === 'require' || (word === 'import' && next?.text === '(')) {
    const argument = tokens[at + 2]
    return next?.text === '(' && argument?.kind === 'string' ? argument : undefined
  }
  if (word === 'import') return next?.kind === 'string' ? next : afterFrom(tokens, at + 1)
  if (word !== 'export') return undefined
  const clause = next?.text === 'type' ? at + 2 : at + 1
  return tokens[clause]?.text === '{' || tokens[clause]?.text === '*' ? afterFrom(tokens, clause) : undefined
}

/** A clause holds names, commas, braces, stars and quoted names: anything else ends it. @param {Token[]} tokens @param {number} start */
function afterFrom(tokens, start) {
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at]
    const next = tokens[at + 1]
    if (token?.text === 'from' && token.kind === 'word' && next?.kind === 'string') return next
    if (token?.kind === 'other' && !'{},*'.includes(token.text)) return undefined
    if (token?.text === '}' && next?.text !== 'from') return undefined
  }
  return undefined
}

/** After these a slash divides; after anything else it opens a regular expression. */
const VALUE_ENDS = /^[)\]}]$/
const WORDS_BEFORE_VALUE = /^(return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await|instanceof)$/

/** @param {string} source @returns {Token[]} */
function tokenize(source) {
  /** @type {Token[]} */
  const tokens = []
  // One entry per template that is open: how deep the braces are inside of its `${`.
  /** @type {number[]} */
  const templates = []
  let line = 1
  let at = 0
  while (at < source.length) {
    const [text, kind] = read()
    if (kind !== undefined) tokens.push({ kind, text: kind === 'string' ? text.slice(1, -1) : text, line })
    for (const character of text) if (character === '\n') line += 1
    at += text.length
  }
  return tokens

  /** The text from here to the end of the token, and its kind; no kind for what is to be left out. @returns {[string, Token['kind']?]} */
  function read() {
    const rest = source.slice(at, at + 2)
    if (/\s/.test(rest.charAt(0))) return [match(/\s+/y)]
    if (rest === '//') return [match(/\/\/[^\n]*/y)]
    if (rest === '/*') return [match(/\/\*[^]*?(\*\/|$)/y)]
    if (/["']/.test(rest.charAt(0))) return [match(/(["'])(?:\\[^]|(?!\1)[^\\\n])*\1?/y), 'string']
    if (rest.charAt(0) === '`') return template()
    const depth = templates.length - 1
    if (rest.charAt(0) === '{' && depth >= 0) templates[depth] = (templates[depth] ?? 0) + 1
    if (rest.charAt(0) === '}' && depth >= 0) {
      if (templates[depth] === 0) {
        templates.pop()
        return templatePart()
      }
      templates[depth] = (templates[depth] ?? 0) - 1
    }
    if (rest.charAt(0) === '/' && !endsValue()) {
      const regex = match(/\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y)
      if (regex) return [regex, 'other']
    }
    const word = match(/[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*/uy)
    if (word) return [word, 'word']
    return [rest.charAt(0), 'other']
  }

  /** @returns {[string, Token['kind']?]} */
  function template() {
    const whole = match(/`(?:\\[^]|\$(?!\{)|[^\\`$])*`/y)
    return whole ? [whole, 'string'] : templatePart()
  }

  /** From a backtick or a closing brace up to the next `${` or the closing backtick. @returns {[string, Token['kind']]} */
  function templatePart() {
    const part = match(/[`}](?:\\[^]|\$(?!\{)|[^\\`$])*(\$\{|`|$)/y)
    if (part.endsWith('${')) templates.push(0)
    return [part || source.charAt(at), 'other']
  }

  function endsValue() {
    const last = tokens.at(-1)
    if (last === undefined) return false
    if (last.kind === 'word') return !WORDS_BEFORE_VALUE.test(last.text)
    return last.kind === 'string' || VALUE_ENDS.test(last.text) || /\w$/.test(last.text) || last.text.endsWith('`')
  }

  /** @param {RegExp} sticky */
  function match(sticky) {
    sticky.lastIndex = at
    return sticky.exec(source)?.[0] ?? ''
  }
}
