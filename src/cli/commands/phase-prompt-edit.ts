import type { Lang } from '#contract/errors.ts'
import type { Context } from '../context.ts'
import { command } from '../define.ts'
import { editText } from '../editor.ts'
import { visibleLine } from '../escape.ts'
import { languageOption, PHASES, promptProject, textOrFile } from '../options.ts'
import { argument } from '../texts-help.ts'

const words = {
  edited: (phase: string, version: number, project: string | null) => ({
    en: `The prompt of ${phase}${project === null ? '' : ` for ${project}`} is now at version ${version}.`,
    ja: `${project === null ? '' : `${project} の `}${phase} のプロンプトは版 ${version} になりました。`,
  }),
  keptBy: (projects: string) => ({
    en: `In progress, and going on with the prompt they began with: ${projects}. \`toryo phase refresh <project>\` adopts the new one.`,
    ja: `進行中のため、開始時のプロンプトのまま続くプロジェクト: ${projects}。\`toryo phase refresh <プロジェクト>\` で切り替えられます。`,
  }),
  unchanged: (phase: string) => ({
    en: `The prompt of ${phase} is as it was.`,
    ja: `${phase} のプロンプトに変更はありません。`,
  }),
}

export default command<[phase: string], { language?: Lang; content?: string; project?: string }>({
  summary: { en: 'Write a new version of a prompt', ja: 'プロンプトの新しい版を作る' },
  order: 3,
  when: {
    en: 'When agents should be given other words in a phase.',
    ja: 'フェーズでエージェントに渡す内容を変えるときに。',
  },
  about: {
    en: 'Earlier versions stay, and a phase in progress keeps the one it started with until `toryo phase refresh`. With --project the prompt is for that project alone, in this language. A prompt may begin with a block between two lines of ---, in which `requires: [docs/a.md]` names files that must exist before its phase can be completed.',
    ja: '以前の版は残り、進行中のフェーズは `toryo phase refresh` を行うまで開始時の版のまま続きます。--project を付けると、そのプロジェクト専用 (その言語のみ) になります。先頭に --- の行で挟んで `requires: [docs/a.md]` と書くと、そのファイルがなければフェーズを完了できません。',
  },
  arguments: [{ name: '<phase>', text: argument.phase, choices: PHASES }],
  options: [
    languageOption,
    promptProject,
    {
      flags: '--content <text | @file | ->',
      text: {
        en: 'The new prompt: text, @file, or - for stdin (default: your editor opens)',
        ja: '新しいプロンプト: 文章、@ファイル、- で標準入力 (省略時はエディターを開く)',
      },
    },
  ],
  examples: [
    ['toryo phase prompt edit phase0', { en: 'in your editor', ja: 'エディターで編集' }],
    ['toryo phase prompt edit phase0 --project shop', { en: 'for one project alone', ja: '1 つのプロジェクト専用' }],
    ['toryo phase prompt edit phase0 --content @phase0.md', { en: 'from a file', ja: 'ファイルから' }],
  ],
  output: 'phase.prompt.edit',
  async run(cx, { language, content, project }, phase) {
    const hub = await cx.connect()
    const before = await hub.call('phase.prompt.show', { phase, language, project_id: project })
    const text = content === undefined ? editText(before.content, phase, cx.io) : await given(content, cx)
    // Another person's edit in the meantime is not overwritten.
    const input = { phase, language, content: text, base_version: before.base_version, project_id: project }
    const prompt = await hub.call('phase.prompt.edit', input)
    if (prompt.version === before.base_version) return { json: prompt, text: cx.io.say(words.unchanged(phase)) }
    const keepers = prompt.kept_by.map(visibleLine).join(', ')
    return {
      json: prompt,
      text: cx.io.say(words.edited(phase, prompt.version, prompt.project_id)),
      ...(keepers && { note: cx.io.say(words.keptBy(keepers)) }),
    }
  },
})

async function given(content: string, { io }: Context): Promise<string> {
  if (content !== '-') return textOrFile(content, io.cwd) ?? ''
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk as Buffer))
  return Buffer.concat(chunks).toString('utf8')
}
