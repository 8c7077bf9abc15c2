import { expect, test } from 'vitest'
import { CrewError } from '#contract/crews.ts'
import { ProjectError } from '#contract/projects.ts'
import { TabError } from '#contract/tabs.ts'
import { WorktreeError } from '#contract/worktrees.ts'
import { inCommands } from './errors.ts'

test('names commands to people where the hub names tools to models', () => {
  const said = [
    TabError.TAB_NOT_FOUND({ tabId: 'tab_1' }),
    TabError.TAB_LIMIT_REACHED({ limit: 8 }),
    ProjectError.PROJECT_NOT_FOUND({ projectId: 'shop', listedBy: 'list_projects' }),
    CrewError.GROUP_NOT_FOUND({ groupId: 'grp-1' }),
    CrewError.ROLE_NOT_FOUND({ role: 'cook' }),
    WorktreeError.WORKTREE_IN_USE({ branch: 'fix', tabId: 'tab_1' }),
    WorktreeError.NOT_A_REPOSITORY({ directory: null }),
  ].map(inCommands)
  expect(said.map(({ en }) => en)).toEqual([
    'Tab tab_1 not found. Use `toryo tab list` to list them.',
    'The limit of 8 tabs is reached; stop one with `toryo tab stop`.',
    'Project shop not found. Use `toryo project list` to list them.',
    'Crew grp-1 not found. Use `toryo crew list` to list them.',
    'Role cook not found. Use `toryo doctor` to list them.',
    'The worktree of fix is in use by tab_1; end that tab with `toryo tab stop fix` first, or choose another branch.',
    'No project with a folder is meant; name one with --project, or go to the folder of one.',
  ])
  for (const { ja } of said) expect(ja).not.toMatch(/gwt_|list_[a-z]+|create_group|project_id/)
})
