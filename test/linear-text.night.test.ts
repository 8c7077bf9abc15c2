// Text comes from agents, from files and from the network, a megabyte at a time: whatever it is made of, no function that
// reads it may take longer than in proportion to its length.
import { beforeAll, expect, test } from 'vitest'
import pico from 'picocolors'
import { readHubMessage, readMessage } from '#bridge/message.ts'
import { type DetachKey, DetachWatch, parseDetachKey } from '#cli/attach/detach-key.ts'
import { inCommands } from '#cli/errors.ts'
import { jsonText, visible, visibleLine } from '#cli/escape.ts'
import { pairs } from '#cli/format.ts'
import { logLine } from '#cli/log-line.ts'
import { fromMarkdown, toMarkdown } from '#cli/memory-markdown.ts'
import { table } from '#cli/table.ts'
import { cut, cutStart, loadWidths, widthOf } from '#cli/width.ts'
import { wrap } from '#cli/wrap.ts'
import { LineSplitter } from '#system/line-splitter.ts'
import { HubError } from '#contract/errors.ts'
import { withoutSecrets } from '#contract/secrets.ts'
import { documentOf } from '#domains/memory/search/document.ts'
import { queryTerms, terms } from '#domains/memory/search/analyser.ts'
import { stem } from '#domains/memory/search/porter.ts'
import { snippet } from '#domains/memory/search/snippet.ts'
import { parsePrompt } from '#domains/phases/front-matter.ts'
import { cutText } from '#domains/tabs/cut-text.ts'
import { cleaned, typed } from '#domains/tabs/encoder.ts'
import { configuredEngine } from '#engines/configured.ts'
import type { Engine } from '#engines/engine.ts'
import { codexComplaint } from '#engines/codex.ts'
import { geminiComplaint } from '#engines/gemini.ts'
import { opencodeComplaint } from '#engines/opencode.ts'
import { resetIn, quotaIn } from '#engines/quota.ts'
import { allEngines } from '#engines/all-engines.ts'
import { enterAnswers, screenState, stillHolds } from '#engines/screen.ts'
import { parseConfig } from '#kernel/config.ts'
import { branchProblem, folderFor, folderNamed, isRevision } from '#kernel/git/names.ts'
import { refusePortability } from '#kernel/portable.ts'
import { fold } from '#kernel/search/fold.ts'
import { gramsIn, gramsOf } from '#kernel/search/grams.ts'
import type { Screen } from '#kernel/terminals/terminals.ts'
import { Unsent } from '#pty-host/unsent.ts'
import { withoutAnswers } from '#pty-host/viewer-input.ts'
import { diffOf } from '#registration/diff.ts'
import type { Entry } from '#registration/format.ts'
import { jsonFormat } from '#registration/json-format.ts'
import { tomlFormat } from '#registration/toml-format.ts'
import { noticeText } from '#runner/notice.ts'
import { parseRpc } from '#transports/json-rpc.ts'
import { withoutAdvice } from '#transports/mcp/tool-names.ts'
import { fenceFor } from '#kernel/fence.ts'
import { linkIn } from '#kernel/git/repository.ts'
import { type Made, repeated, type TextFunction, whyNotLinear } from './linear.ts'

const bytes = (text: string) => Buffer.from(text)
const io = { width: 80, colors: pico.createColors(false) }
const ENTRY: Entry = { command: 'x', args: [] }
const described = configuredEngine('mine', {
  headless: ['x'],
  output: 'text',
  models: ['*a*b*c*'],
  env: [],
  projectConfig: [],
})
const engines = [described, ...allEngines({ engines: {} }).values()]
const rules = engines.map(engine => engine.screen)

function screenOf(text: string): Screen {
  const lines = ['one', text, text]
  const shown = { lines, title: text, cursor: { x: text.length, y: 2 }, alternate: false, bracketedPaste: true, seq: 1 }
  return { ...shown, quietMs: 5000, typedMs: null, unsent: false }
}

/** A text of any kind: long blanks, lines, words, quotes, letters of two parts. */
const ANY: Made[] = [
  repeated(' ', 'x', 'x'),
  repeated('\n', '', 'x'),
  repeated('a'),
  repeated('"'),
  repeated('か\u3099漢', '', '!'),
  repeated('\u0301', 'e'),
]

/** What it reads, and what it might stumble over beside that. */
const FUNCTIONS: [name: string, run: TextFunction, worst?: readonly Made[]][] = [
  ['visible', visible, [repeated('\t'), repeated('\u200d', '👩'), repeated('👩\u200d'), repeated('\u{e0100}', '漢')]],
  [
    'visibleLine',
    visibleLine,
    [repeated(' \r\n\t', 'x', 'x'), repeated('\t \r', '', 'x'), repeated('\u{e0067}', '🏴')],
  ],
  ['jsonText', jsonText, [repeated('\u3164'), repeated('❤\ufe0f')]],
  ['widthOf', widthOf, [repeated('漢'), repeated('🇯🇵'), repeated('\u001b[1;')]],
  ['cut', text => cut(text, 40)],
  ['cutStart', text => cutStart(text, 40)],
  ['wrap', text => wrap(text, 80), [repeated(' ', 'x'), repeated('ー', 'x'), repeated('a ')]],
  ['table', text => table([text], [{ title: 'x', value: one => one, prose: true }], io)],
  ['pairs', text => pairs([['x', text]], io)],
  ['logLine', text => logLine(text, io)],
  ['logLine of the logger', text => logLine(JSON.stringify({ message: text, level: 'INFO', fact: text }), io)],
  [
    'inCommands',
    text => inCommands(new HubError('X', 'invalid', { en: text, ja: text })),
    [repeated('gwt_list_tabs-')],
  ],
  [
    'fromMarkdown',
    fromMarkdown,
    [
      repeated(' ', '## x', '<!-- topic {'),
      repeated('<!-- topic {', '## '),
      repeated('-->', '## x <!-- topic {'),
      repeated('## x <!-- log {} -->\n'),
    ],
  ],
  [
    'toMarkdown',
    text => toMarkdown([{ type: 'topic', id: 1, title: text, description: text, parent_topic_id: null }], text),
  ],
  [
    'toMarkdown of many',
    text =>
      toMarkdown(
        Array.from({ length: text.length / 64 }, (_, id) => ({
          type: 'topic' as const,
          id,
          title: 'x',
          description: null,
          parent_topic_id: null,
        })),
        'x',
      ),
  ],
  [
    'DetachWatch',
    text => new DetachWatch(parseDetachKey('ctrl-]') as DetachKey).read(bytes(text)),
    [repeated('\x1b[1:1'), repeated(':1', '\x1b[1')],
  ],
  [
    'the lines of a bridge',
    text => new LineSplitter(1 << 20, 1 << 21, { line: () => {}, oversize: () => {} }).push(bytes(text)),
  ],
  ['readMessage', readMessage, [repeated('[', '{"jsonrpc":"2.0","id":1,"params":')]],
  ['readHubMessage', readHubMessage, [repeated('\\"', '{"jsonrpc":"2.0","id":"')]],
  [
    'withoutSecrets',
    withoutSecrets,
    [repeated('key_'), repeated('aB3-', 'key_'), repeated('.key_aB3'), repeated('aB3aB3aB3aB3 '), repeated('0f', '-')],
  ],
  [
    'withoutAdvice',
    text => withoutAdvice(text, name => name === 'gwt_list_tabs'),
    [repeated('; gwt_list_tabs'), repeated('a_', '', '!'), repeated('。')],
  ],
  ['parseRpc', parseRpc, [repeated('{"a":')]],
  ['refusePortability', refusePortability],
  ['fold', fold, [repeated('ıς'), repeated('ﷺ')]],
  ['grams', text => [gramsOf(1, [text], 3), gramsIn(1, text, 3)]],
  ['terms', terms, [repeated('_', 'a', 'b'), repeated('A', '', 'a'), repeated('aB'), repeated('ー')]],
  ['queryTerms', text => queryTerms([text]), [repeated('_', 'a', 'b')]],
  ['documentOf', text => documentOf({ title: text, text, neighbours: [] })],
  ['stem', stem, [repeated('y'), repeated('b', '', 'ing'), repeated('ational'), repeated('a', '', 'bbed')]],
  ['snippet', text => snippet(text, [text.slice(0, 500)])],
  [
    'parsePrompt',
    parsePrompt,
    [
      repeated(' ', '---\nrequires:', 'x\n---\n'),
      repeated('--- x\n', '---\n'),
      repeated('a.md,', '---\nrequires: [', ']\n---\n'),
      repeated(' ', '---'),
    ],
  ],
  ['fenceFor', fenceFor, [repeated('` '), repeated('`')]],
  ['cutText', text => cutText(text, 1000)],
  ['cleaned', cleaned, [repeated('[ gwt msg '), repeated(' ', '[gwt', 'msg from'), repeated('👩\u200d')]],
  ['typed', typed, [repeated(' @x'), repeated('@'), repeated('\\', '', ' x')]],
  ['modelProblem', text => described.modelProblem(text), [repeated('ab')]],
  [
    'geminiComplaint',
    geminiComplaint,
    [repeated(' ', 'Attempt 1 failed: ', 'x'), repeated('Retrying after 1', 'Attempt 1 failed: ')],
  ],
  ['codexComplaint', codexComplaint, [repeated('x', 'x ERROR codex_core::tools::router: error=patch ')]],
  ['opencodeComplaint', opencodeComplaint, [repeated('\\"', 'error.error="'), repeated('error.error="\\')]],
  [
    'resetIn',
    text => resetIn(text, 0),
    [
      repeated('reset'),
      repeated(' ', 'retry', 'x'),
      repeated('1', 'retry in '),
      repeated('1h ', 'retry in ', '1x'),
      repeated('again at '),
      repeated('at Jul 1 '),
    ],
  ],
  ['quotaIn', text => quotaIn(`quota ${text}`, 0), [repeated('resets:'), repeated('retry 1s and ')]],
  [
    'the readers of engines',
    text => engines.map(engine => readAll(engine, text)),
    [repeated('{"type":"message","role":"assistant","delta":true,"content":"xx"}\n')],
  ],
  ['screenState', text => rules.map(rule => screenState(screenOf(text), rule)), [repeated('1. x '), repeated('> ')]],
  ['stillHolds', text => rules.map(rule => stillHolds(screenOf(text), rule, text))],
  ['enterAnswers', text => rules.map(rule => enterAnswers(screenOf(text), rule, text)), [repeated('1)x')]],
  ['parseConfig', text => parseConfig(text, 'x'), [repeated('{},', '{"roles":[', '{}]}'), repeated('\n', '{', '}')]],
  [
    'names of branches',
    text => [branchProblem(text), isRevision(text), folderFor('x', text), folderNamed(text, 'project')],
    [repeated('-', 'a', 'b')],
  ],
  ['linkIn', linkIn, [repeated('\n', 'gitdir: ', 'x')]],
  ['Unsent', text => new Unsent().typed(bytes(text)), [repeated('1', '\x1b['), repeated('\x1b[1')]],
  [
    'withoutAnswers',
    text => withoutAnswers(bytes(text)),
    [repeated('\x1b]'), repeated('\x1b[1c'), repeated('1;', '\x1b[')],
  ],
  ['diffOf', text => diffOf('x', `a\n${text}`, 'a\nb', ENTRY), [repeated('\\"'), repeated(`"'`), repeated(`\\"\\'`)]],
  [
    'jsonFormat',
    text => [jsonFormat('s').find(text), jsonFormat('s').insert(text, ENTRY)],
    [repeated('/* x */', '{"a":1', '}'), repeated('"a":1,', '{', '"b":1}'), repeated('/*', '{')],
  ],
  [
    'tomlFormat',
    text => [tomlFormat('s').find(text), tomlFormat('s').insert(text, ENTRY)],
    [repeated('# x\n'), repeated(' ', 'a = 1', '\n'), repeated('\\"', 'a = "', '"\n')],
  ],
  [
    'noticeText',
    text => noticeText({ kind: 'not-trusted', agent: text, project: 'x', message: text }),
    [repeated(' \n', 'x', 'x')],
  ],
]

beforeAll(loadWidths)

test.each(FUNCTIONS)(
  '%s reads a megabyte in proportion to its length',
  { timeout: 240_000 }, // What is not linear takes minutes, and is to be named with its text.
  (_, run, worst = []) => {
    for (const [at, make] of [...worst, ...ANY].entries()) {
      const why = whyNotLinear(run, make, at === 0)
      expect(why && `${JSON.stringify(make(40))}: ${why}`).toBeUndefined()
    }
  },
)

test('what grows with the square of its text is found', () => {
  const slow = (text: string) => text.replaceAll(/[ \t]*\n/g, '⏎')
  expect(whyNotLinear(slow, repeated(' ', '', 'x'))).toMatch(/characters took/)
  expect(whyNotLinear(text => text.split(' ').join('_'), repeated(' '))).toBeUndefined()
})

function readAll(engine: Engine, text: string): void {
  const reader = engine.reader({ cwd: '/' })
  reader.push(bytes(text))
  reader.push(bytes(text), 'stderr')
  const said = { type: 'result', result: text, is_error: true, error: { message: text }, message: text }
  reader.push(bytes(`\n${JSON.stringify(said)}\n`))
  reader.end()
}
