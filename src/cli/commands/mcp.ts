import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { about, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

/** bin/toryo.js starts the bridge for this word, without the CLI; only its help is read here, and words before it lead here. */
export default command({
  about: about.mcp,
  options: [{ flags: '--toolsets <list>', text: option.toolsets }],
  examples: [
    ['claude mcp add toryo -- toryo mcp', { en: 'for Claude Code', ja: 'Claude Code で使う' }],
    [
      'toryo mcp --toolsets agent,projects --db ~/team.db',
      { en: 'fewer tools, another database', ja: 'ツールとデータベースを選ぶ' },
    ],
  ],
  async run() {
    throw CliError.USAGE({ text: texts.mcpFirst })
  },
})
