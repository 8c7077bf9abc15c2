import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { jsquad, loCoMo } from './datasets.ts'

test('LoCoMo: turns become passages of their session, and every way to write evidence is understood', () => {
  const turns = (session: number) =>
    [1, 2].map(turn => ({ dia_id: `D${session}:${turn}`, speaker: 'Ann', text: `${session}.${turn}` }))
  const asked = [['D1:1'], ['D1:2; D11:1'], ['D1:1 D1:2'], ['D:11:2'], ['D11:02'], ['D'], [], ['D9:9']]
  const folder = folderWith('locomo10.json', [
    {
      sample_id: 'conv-1',
      conversation: {
        speaker_a: 'Ann',
        session_1_date_time: '1:56 pm on 8 May, 2023',
        session_1: [turns(1)[0], { ...turns(1)[1], blip_caption: 'a photo', img_url: ['x'], 're-download': true }],
        session_11_date_time: 'later',
        session_11: turns(11),
        // There are dates of sessions that never came.
        session_12_date_time: 'never',
      },
      qa: asked.map((evidence, index) => ({ question: `q${index}`, answer: 2022, evidence, category: 1 })),
    },
  ])
  const [collection] = loCoMo(folder)
  expect(collection?.passages).toEqual([
    { key: 'D1:1', topic: 'session_1 1:56 pm on 8 May, 2023', text: 'Ann: 1.1' },
    { key: 'D1:2', topic: 'session_1 1:56 pm on 8 May, 2023', text: 'Ann: 1.2 [a photo]' },
    { key: 'D11:1', topic: 'session_11 later', text: 'Ann: 11.1' },
    { key: 'D11:2', topic: 'session_11 later', text: 'Ann: 11.2' },
  ])
  expect(collection?.questions).toEqual([
    { query: 'q0', wanted: ['D1:1'] },
    { query: 'q1', wanted: ['D1:2', 'D11:1'] },
    { query: 'q2', wanted: ['D1:1', 'D1:2'] },
    { query: 'q3', wanted: ['D11:2'] },
    { query: 'q4', wanted: ['D11:2'] },
  ])
})

test('JSQuAD: the wanted sentence is found by a place that counts characters, and not in the title', () => {
  const context = '題名 [SEP] 𠮷𠮷𠮷野家です。二つ目。三つ目。'
  const at = (text: string) => ({ text, answer_start: Array.from(context.slice(0, context.indexOf(text))).length })
  const question = (query: string, ...answers: object[]) => ({
    id: query,
    question: query,
    answers,
    is_impossible: false,
  })
  const qas = [
    question('first', at('野家')),
    // Taken for UTF-16 units, this place would still be in the first sentence.
    question('second', at('二つ目')),
    question('title, then third', at('題名'), at('三つ目')),
    question('title', at('題名')),
    question('nobody knows'),
  ]
  const folder = folderWith('valid-v1.3.json', { data: [{ title: '題名', paragraphs: [{ qas, context }] }] })
  const [collection] = jsquad(folder)
  expect(collection?.passages.map(({ topic, text }) => [topic, text])).toEqual([
    ['題名', '𠮷𠮷𠮷野家です。'],
    ['題名', '二つ目。'],
    ['題名', '三つ目。'],
  ])
  expect(collection?.questions).toEqual([
    { query: 'first', wanted: ['0.0.0'] },
    { query: 'second', wanted: ['0.0.1'] },
    { query: 'title, then third', wanted: ['0.0.2'] },
  ])
})

function folderWith(name: string, content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'toryo-datasets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), JSON.stringify(content))
  return folder
}
