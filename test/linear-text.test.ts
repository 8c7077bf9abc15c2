// Text comes from agents, from files and from the network, a megabyte at a time: whatever it is made of, no function that
// reads it may take longer than in proportion to its length.
import { expect, test } from 'vitest'
import { readHubMessage, readMessage } from '#bridge/message.ts'
import { DetachWatch, parseDetachKey } from '#cli/attach/detach-key.ts'
import { inCommands } from '#cli/errors.ts'
import { jsonText, visible, visibleLine } from '#cli/escape.ts'
import { pairs } from '#cli/format.ts'
import { logLine } from '#cli/log-line.ts'
import { fromMarkdown, toMarkdown } from '#cli/memory-markdown.ts'
import { table } from '#cli/table.ts'
import { cut, cutStart, loadWidths, widthOf } from '#cli/width.ts'
import { wrap } from '#cli/wrap.ts'
import { LineSplitter as RelayLines } from '#client/relay/line-splitter.ts'
import { documentOf } from '#domains/memory/search/document.ts'
import { queryTerms, terms } from '#domains/memory/search/analyser.ts'
import { stem } from '#domains/memory/search/porter.ts'
import { snippet } from '#domains/memory/search/snippet.ts'
import { parsePrompt } from '#domains/phases/front-matter.ts'
import { cutText } from '#domains/tabs/cut-text.ts'
import { cleaned, typed } from '#domains/tabs/encoder.ts'
import { configuredEngine } from '#engines/configured.ts'
import { geminiComplaint } from '#engines/gemini.ts'
import { opencodeComplaint } from '#engines/opencode.ts'
import { nameProblem } from '#engines/models.ts'
import { resetIn, quotaIn } from '#engines/quota.ts'
import { allEngines } from '#engines/engines.ts'
import { enterAnswers, screenState, stillHolds } from '#engines/screen.ts'
import { parseConfig } from '#kernel/config.ts'
import { branchProblem, folderFor, folderNamed, isRevision } from '#kernel/git/names.ts'
import { refusePortability } from '#kernel/portable.ts'
import { fold } from '#kernel/search/fold.ts'
import { gramsIn, gramsOf } from '#kernel/search/grams.ts'
import { Unsent } from '#pty-host/unsent.ts'
import { withoutAnswers } from '#pty-host/viewer-input.ts'
import { diffOf } from '#registration/diff.ts'
import { jsonFormat } from '#registration/json-format.ts'
import { outline } from '#registration/json-outline.ts'
import { tomlFormat } from '#registration/toml-format.ts'
import { noticeText } from '#runner/notice.ts'
import { parseRpc } from '#transports/json-rpc.ts'
import { repeated, type TextFunction, whyNotLinear } from './linear.ts'

const bytes = (text: string) => Buffer.from(text)
const plainColours = new Proxy({}, { get: () => (text: string) => text }) as Parameters<typeof pairs>[1]['colors']
const io = { width: 80, colors: plainColours }
const entry = { command: 'x', args: [], env: {} } as unknown as Parameters<typeof diffOf>[3]
const screen = (text: string) =>
  ({
    lines: ['one', text, text],
    title: text,
    cursor: { x: text.length, y: 2 },
    quietMs: 5000,
    typedMs: null,
    unsent: false,
  }) as unknown as Parameters<typeof screenState>[0]
const rules = [undefined, ...[...allEngines({ engines: {} }).values()].map(engine => engine.screen)]

const FUNCTIONS: Record<string, TextFunction> = {
  visible,
  visibleLine,
  jsonText,
  widthOf,
  cut: text => cut(text, 40),
  cutStart: text => cutStart(text, 40),
  wrap: text => wrap(text, 80),
  table: text =>
    table(
      [text],
      [
        { title: 'x', value: one => one, prose: true },
        { title: 'y', value: one => one, path: true },
      ],
      io,
    ),
  pairs: text => pairs([['x', text]], io),
  logLine: text => logLine(text, io),
  logLineJson: text => logLine(JSON.stringify({ message: text, [text]: 1 }), io),
  fromMarkdown,
  toMarkdown: text =>
    toMarkdown([{ type: 'topic', id: 1, title: text, description: text, parent_topic_id: null }], text),
  parseDetachKey,
  detachWatch: text => new DetachWatch(parseDetachKey('ctrl-]') as never).read(bytes(text)),
  relayLines: text => new RelayLines(1 << 20, 1 << 21, { line: () => {}, oversize: () => {} }).push(bytes(text)),
  readMessage,
  readHubMessage,
  terms,
  queryTerms: text => queryTerms([text]),
  documentOf: text => documentOf({ title: text, text, neighbours: [text] } as never),
  stem,
  snippet: text => snippet(text, ['x', text.slice(0, 500)]),
  parsePrompt,
  cutText: text => cutText(text, 1000),
  cleaned,
  typed,
  modelProblem: text =>
    configuredEngine('m', {
      headless: ['x'],
      output: 'text',
      models: ['*a*b*c*'],
      env: [],
      projectConfig: [],
    }).modelProblem(text),
  geminiComplaint,
  opencodeComplaint,
  nameProblem,
  resetIn: text => resetIn(text, 1e12),
  quotaIn: text => quotaIn(`quota ${text}`, 1e12),
  readers: text => {
    for (const engine of allEngines({ engines: {} }).values()) {
      const reader = engine.reader({ cwd: '/' })
      reader.push(bytes(text))
      reader.push(bytes(text), 'stderr')
      reader.push(
        bytes(`\n${JSON.stringify({ type: 'result', result: text, is_error: true, error: text, message: text })}\n`),
      )
      reader.end()
    }
  },
  textReader: text => {
    const reader = configuredEngine('m', {
      headless: ['x'],
      output: 'text',
      models: [],
      env: [],
      projectConfig: [],
    }).reader()
    reader.push(bytes(text))
    reader.end()
  },
  screenState: text => rules.map(rule => screenState(screen(text), rule)),
  stillHolds: text => rules.map(rule => stillHolds(screen(text), rule, text)),
  enterAnswers: text => rules.map(rule => enterAnswers(screen(text), rule, text)),
  parseConfig: text => parseConfig(text, 'x'),
  branchProblem,
  isRevision,
  folderFor: text => folderFor('x', text),
  folderNamed,
  refusePortability,
  fold,
  grams: text => [gramsOf(1, [text], 3), gramsIn(1, text, 3)],
  unsent: text => new Unsent().typed(bytes(text)),
  withoutAnswers: text => withoutAnswers(bytes(text)),
  diffOf: text => diffOf('x', `{${text}`, `{x${text}`, entry),
  diffLine: text => diffOf('x', `a\n${text}`, `a\nb`, entry),
  jsonFind: text => jsonFormat('mcpServers').find(text),
  jsonInsert: text => jsonFormat('mcpServers').insert(text, entry),
  outline,
  tomlFind: text => tomlFormat('mcp_servers').find(text),
  tomlInsert: text => tomlFormat('mcp_servers').insert(text, entry),
  notice: text => noticeText({ kind: 'ended', agent: text, project: text, message: text }),
  parseRpc,
  cliError: text => inCommands({ code: 'X', text: { en: text, ja: text }, details: {} } as never),
}

const UNITS = [
  ' ',
  '\n',
  '\t',
  ' \n',
  '\r\n',
  '\r',
  'a',
  'A',
  'aB',
  'y',
  'ing',
  '_',
  '`',
  '"',
  "'",
  '\\',
  '\\"',
  '{',
  '[',
  '[[',
  '(',
  '#',
  '## ',
  '/',
  '//x\n',
  '/* ',
  '-',
  '- ',
  '---\n',
  '=',
  '1',
  '1.',
  '1. x ',
  '1h ',
  '😀',
  '👩‍💻',
  '👩\u200d',
  '❤\ufe0f',
  'ー',
  '漢',
  'か\u3099',
  'e\u0301',
  '\u0301',
  '\u200d',
  '\u200c',
  'क्\u200d',
  '\u{e0100}',
  '漢\u{e0100}',
  '\x1b[',
  '\x1b[1;',
  '\x1b[200~',
  '\x1b]',
  'ﷺ',
  'ı',
  'ς',
  '<!-- ',
  '<!-- topic {',
  '## x <!-- topic {} --> ',
  '> ',
  '[gwt ',
  '[ gwt msg ',
  'https://a:',
  '|',
  'reset',
  'resets: ',
  'retry in 1',
  'again at ',
  'at Jul 1 ',
  'error.error="',
  'Attempt 1 failed ',
  'key_aaaa',
  '\ud800',
  '@x',
  '❯ ',
  '> 1. ',
  'x = 1\n',
  '"a": {',
  '{"a":',
  ',',
  '* ',
  'gwt_list_tabs',
  'ᅟ',
  'a,',
  '\u00a0',
  '、',
]

test.each(Object.entries(FUNCTIONS))('%s', { timeout: 1e9 }, async (name, run) => {
  await loadWidths()
  const found: string[] = []
  for (const unit of UNITS)
    for (const around of [
      ['', ''],
      ['', 'x'],
      ['x', ''],
      ['"', ''],
      ['## ', '-->'],
      ['{', '}'],
      ['---\n', ''],
      ['Attempt 1 failed: ', 'x'],
    ] as const) {
      const from = performance.now()
      const why = whyNotLinear(run, repeated(unit, around))
      const took = performance.now() - from
      if (why) found.push(`${name} ${JSON.stringify(unit)} in ${JSON.stringify(around)}: ${why}`)
      else if (took > 3000) found.push(`SLOW ${name} ${JSON.stringify(unit)} in ${JSON.stringify(around)}: ${took}`)
      if (found.length > 12) break
    }
  for (const line of found) console.log(line)
  expect(found).toEqual([])
})
