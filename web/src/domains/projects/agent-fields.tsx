import { TextArea, TextField } from '../../parts/field.tsx'
import { Labelled } from '../../parts/labelled.tsx'
import { Select } from '../../parts/select.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { type EngineChoice, useEngineChoices } from './setup-queries.ts'
import { setupWords } from './setup-words.ts'

export type AgentDraft = { name: string; engine: string; role: string; system_prompt: string }

type Props = { draft: AgentDraft; change: (next: Partial<AgentDraft>) => void }

/** What makes an agent, for a new one and for one that is changed. */
export function AgentFields({ draft, change }: Props) {
  const { agent: words } = useOwnWords(setupWords)
  const choices = withChosen(useEngineChoices().data ?? [], draft.engine)
  const chosen = choices.find(({ engine }) => engine === draft.engine)
  return (
    <>
      <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
        <Labelled text={words.name}>
          <TextField
            label={words.name}
            value={draft.name}
            maxLength={200}
            data-autofocus
            autoComplete="off"
            onChange={event => change({ name: event.target.value })}
          />
        </Labelled>
        <Labelled text={words.engine}>
          <Select label={words.engine} value={draft.engine} onChange={event => change({ engine: event.target.value })}>
            {choices.map(({ engine, isFound }) => (
              <option key={engine} value={engine}>
                {isFound ? engine : `${engine} (${words.notFound})`}
              </option>
            ))}
          </Select>
        </Labelled>
      </div>
      {chosen?.isFound === false && <p className="text-sm text-kohaku">{words.engineMissing(chosen.engine)}</p>}
      <Labelled text={words.role}>
        <TextField
          label={words.role}
          value={draft.role}
          maxLength={1000}
          onChange={event => change({ role: event.target.value })}
        />
      </Labelled>
      <Labelled text={words.prompt}>
        <TextArea
          label={words.prompt}
          placeholder={words.promptHint}
          rows={4}
          value={draft.system_prompt}
          maxLength={100_000}
          onChange={event => change({ system_prompt: event.target.value })}
        />
      </Labelled>
    </>
  )
}

/** One that is not known here stays what it is: a Runner that is away may have it. */
function withChosen(choices: readonly EngineChoice[], engine: string): readonly EngineChoice[] {
  if (engine === '' || choices.some(one => one.engine === engine)) return choices
  return [...choices, { engine, isFound: false }]
}
