// Porter's stemmer (M.F. Porter, An algorithm for suffix stripping, 1980), with the author's later corrections.
// Takes lower-case words of a–z; gives the stem under which their forms meet.

const CONSONANT = '[^aeiou]'
const VOWEL = '[aeiouy]'
const CONSONANTS = `${CONSONANT}[^aeiouy]*`
const VOWELS = `${VOWEL}[aeiou]*`
const ONE_OR_MORE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`)
const EXACTLY_ONE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`)
const TWO_OR_MORE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`)
const HAS_VOWEL = new RegExp(`^(?:${CONSONANTS})?${VOWEL}`)
const SHORT = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`)

const STEP_2: Record<string, string> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
}
const STEP_3: Record<string, string> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
}
const SUFFIX_2 = new RegExp(`^(.+?)(${Object.keys(STEP_2).join('|')})$`)
const SUFFIX_3 = new RegExp(`^(.+?)(${Object.keys(STEP_3).join('|')})$`)
const SUFFIX_4 = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/

export function stem(word: string): string {
  if (word.length < 3) return word
  // A leading y is a consonant, wherever the patterns look.
  const guarded = word.startsWith('y') ? `Y${word.slice(1)}` : word
  return step5(step4(step3(step2(step1c(step1b(step1a(guarded))))))).toLowerCase()
}

function step1a(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

function step1b(word: string): string {
  const eed = /^(.+?)eed$/.exec(word)
  if (eed) return ONE_OR_MORE.test(eed[1] ?? '') ? word.slice(0, -1) : word
  const base = /^(.+?)(?:ed|ing)$/.exec(word)?.[1]
  if (base === undefined || !HAS_VOWEL.test(base)) return word
  if (/(at|bl|iz)$/.test(base)) return `${base}e`
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1)
  return SHORT.test(base) ? `${base}e` : base
}

function step1c(word: string): string {
  const base = /^(.+)y$/.exec(word)?.[1]
  return base !== undefined && HAS_VOWEL.test(base) ? `${base}i` : word
}

function step2(word: string): string {
  const [, base = '', suffix = ''] = SUFFIX_2.exec(word) ?? []
  return base !== '' && ONE_OR_MORE.test(base) ? base + STEP_2[suffix] : word
}

function step3(word: string): string {
  const [, base = '', suffix = ''] = SUFFIX_3.exec(word) ?? []
  return base !== '' && ONE_OR_MORE.test(base) ? base + STEP_3[suffix] : word
}

function step4(word: string): string {
  const base = SUFFIX_4.exec(word)?.[1]
  if (base !== undefined) return TWO_OR_MORE.test(base) ? base : word
  const before = /^(.+?[st])ion$/.exec(word)?.[1]
  return before !== undefined && TWO_OR_MORE.test(before) ? before : word
}

function step5(word: string): string {
  let result = word
  const base = /^(.+)e$/.exec(word)?.[1]
  if (base !== undefined && (TWO_OR_MORE.test(base) || (EXACTLY_ONE.test(base) && !SHORT.test(base)))) result = base
  return result.endsWith('ll') && TWO_OR_MORE.test(result) ? result.slice(0, -1) : result
}
