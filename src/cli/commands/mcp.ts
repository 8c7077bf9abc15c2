import { command } from '../define.ts'
import { CliError } from '../errors.ts'

/** bin/toryo.js starts the bridge for this word, without the CLI; only its help is read here, and words before it lead here. */
export default command({
  summary: {
    en: 'Serve MCP on stdin and stdout, for an agent program',
    ja: '標準入出力で MCP を提供する (エージェント用)',
  },
  group: 'more',
  order: 22,
  when: {
    en: 'Started by agent programs, not by people: the MCP server.',
    ja: 'エージェントのプログラムが起動する MCP サーバーです。',
  },
  about: {
    en: 'What an agent program starts as its MCP server. Starts a background hub for the database when none runs.',
    ja: 'エージェントのプログラムが MCP サーバーとして起動するものです。ハブが動いていなければバックグラウンドで起動します。',
  },
  options: [
    {
      flags: '--toolsets <list>',
      text: {
        en: 'Which tools to offer, such as runner,agent,projects,legacy',
        ja: '提供するツール群 (例: runner,agent,projects,legacy)',
      },
    },
  ],
  examples: [
    ['claude mcp add toryo -- toryo mcp', { en: 'for Claude Code', ja: 'Claude Code で使う' }],
    [
      'toryo mcp --toolsets agent,projects --db ~/team.db',
      { en: 'fewer tools, another database', ja: 'ツールとデータベースを選ぶ' },
    ],
  ],
  output: null,
  async run() {
    throw CliError.USAGE({
      text: {
        en: 'Write `mcp` first, then its options: `toryo mcp --db …`.',
        ja: '`mcp` を最初に書き、オプションはその後に続けてください: `toryo mcp --db …`',
      },
    })
  },
})
