import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { jsquad, loCoMo } from '../bench/memory/datasets.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-datasets-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

test('of LoCoMo every turn is a record, every session a topic, and questions without evidence are left out', () => {
  write('locomo10.json', [
    {
      conversation: {
        speaker_a: 'Ann',
        session_1_date_time: '8 May',
        session_1: [
          { dia_id: 'D1:1', speaker: 'Ann', text: 'The roof leaks.' },
          { dia_id: 'D1:2', speaker: 'Bo', text: 'Look.', blip_caption: 'a wet floor' },
        ],
        session_2: [{ dia_id: 'D2:1', speaker: 'Ann', text: 'Mended.' }],
      },
      qa: [
        { question: 'What leaks?', evidence: ['D1:1; D2:1', 'D9:9'] },
        { question: 'Who sang?', evidence: [] },
        { question: 'Who knows?' },
      ],
    },
  ])
  expect(loCoMo(folder)).toEqual([
    {
      passages: [
        { key: 'D1:1', topic: 'session_1 8 May', text: 'Ann: The roof leaks.' },
        { key: 'D1:2', topic: 'session_1 8 May', text: 'Bo: Look. [a wet floor]' },
        { key: 'D2:1', topic: 'session_2 ', text: 'Ann: Mended.' },
      ],
      questions: [{ query: 'What leaks?', wanted: ['D1:1', 'D2:1'] }],
    },
  ])
})

test('of JSQuAD every sentence is a record, and the title before a context is no sentence of it', () => {
  const context = '棟梁 [SEP] 棟梁は大工の長である。弟子を率いる。'
  const answer = (text: string) => [{ text, answer_start: context.indexOf(text) }]
  write('valid-v1.3.json', {
    data: [
      {
        title: '棟梁',
        paragraphs: [
          {
            context,
            qas: [
              { question: '誰を率いるか。', answers: answer('弟子') },
              { question: '何の長か。', answers: answer('大工') },
              { question: '大工の長は？', answers: answer('棟梁') },
            ],
          },
        ],
      },
    ],
  })
  expect(jsquad(folder)).toEqual([
    {
      passages: [
        { key: '0.0.0', topic: '棟梁', text: '棟梁は大工の長である。' },
        { key: '0.0.1', topic: '棟梁', text: '弟子を率いる。' },
      ],
      questions: [
        { query: '誰を率いるか。', wanted: ['0.0.1'] },
        { query: '何の長か。', wanted: ['0.0.0'] },
      ],
    },
  ])
})

test('a folder without such a file is named', () => {
  const empty = path.join(folder, 'empty')
  expect(() => loCoMo(empty)).toThrow(empty)
})

function write(name: string, value: unknown): void {
  fs.writeFileSync(path.join(folder, name), JSON.stringify(value))
}
