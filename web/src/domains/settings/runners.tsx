import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { RunnerView, TokenView } from '#contract/views.ts'
import { Refused, write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { Failure } from '../../parts/failure.tsx'
import { TextField } from '../../parts/field.tsx'
import { clockTime } from '../../parts/live-time.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { keys } from './live.ts'
import { Sure } from '../../parts/sure.tsx'
import { Panel, Rows } from './parts.tsx'
import { useRunners, useTokens } from './queries.ts'
import { words as own } from './words.ts'

export function Runners() {
  const words = useOwnWords(own)
  const runners = useRunners()
  const tokens = useTokens()
  if (runners.isError && !runners.data) return <Failure error={runners.error} again={() => void runners.refetch()} />
  if (tokens.isError && !tokens.data) return <Failure error={tokens.error} again={() => void tokens.refetch()} />
  if (!runners.data || !tokens.data) return <Bars count={4} height={48} />
  return (
    <>
      <Panel title={words.runners} hint={words.runnersHint}>
        {runners.data.length === 0 && <p className="text-soft">{words.noRunners}</p>}
        {runners.data.length > 0 && (
          <Rows>
            {runners.data.map(runner => (
              <Runner key={runner.name} runner={runner} />
            ))}
          </Rows>
        )}
        <NewCredential label={words.newRunner} add={async name => (await write('runner.add', { name })).value.token} />
        <CommandLine text="toryo runner token <name>" />
      </Panel>
      <Panel title={words.tokens} hint={words.tokensHint}>
        {tokens.data.length === 0 && <p className="text-soft">{words.noTokens}</p>}
        {tokens.data.length > 0 && (
          <Rows>
            {tokens.data.map(token => (
              <Token key={token.name} token={token} />
            ))}
          </Rows>
        )}
        <NewCredential label={words.newToken} add={async name => (await write('token.add', { name })).value.token} />
        <CommandLine text="toryo token create <name>" />
      </Panel>
    </>
  )
}

function Runner({ runner }: { runner: RunnerView }) {
  const words = useOwnWords(own)
  const queries = useQueryClient()
  return (
    <Credential
      name={runner.name}
      detail={runner.engines.join(', ')}
      label={words.seen}
      at={runner.last_seen_at}
      revokedAt={runner.revoked_at}
      revoke={async () => {
        await write('runner.revoke', { name: runner.name })
        await queries.invalidateQueries({ queryKey: keys.runners })
      }}
    />
  )
}

function Token({ token }: { token: TokenView }) {
  const words = useOwnWords(own)
  const queries = useQueryClient()
  return (
    <Credential
      name={token.name}
      detail=""
      label={words.used}
      at={token.last_used_at}
      revokedAt={token.revoked_at}
      revoke={async () => {
        await write('token.revoke', { name: token.name })
        await queries.invalidateQueries({ queryKey: keys.tokens })
      }}
    />
  )
}

/** The token is shown once, here, and is nowhere else: not in the list, not in a log. */
function NewCredential({ label, add }: { label: string; add: (name: string) => Promise<string> }) {
  const words = useOwnWords(own)
  const all = useWords()
  const cutOff = useCutOff()
  const [name, setName] = useState('')
  const [made, setMade] = useState<{ name: string; token: string }>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      setMade({ name, token: await add(name.trim()) })
      setName('')
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : all.error.unreached)
    }
    setBusy(false)
  }
  if (made)
    return (
      <div data-made={made.name} className="flex flex-col gap-2 rounded-lg border border-kohaku bg-kohaku-wash p-3">
        <p className="text-sm">{words.shownOnce(made.name)}</p>
        <CommandLine text={made.token} />
        <Button small className="self-start" onClick={() => setMade(undefined)}>
          {words.put}
        </Button>
      </div>
    )
  return (
    <form className="flex flex-wrap items-center gap-2" onSubmit={event => void submit(event)}>
      <TextField
        label={`${label}: ${words.credentialName}`}
        placeholder={words.credentialName}
        title={words.credentialHint}
        className="!w-56"
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <Button type="submit" disabled={busy || cutOff !== undefined || name.trim() === ''} title={cutOff}>
        {label}
      </Button>
      {problem !== undefined && (
        <p role="alert" className="w-full text-sm text-shu">
          {problem}
        </p>
      )}
    </form>
  )
}

type Props = {
  name: string
  detail: string
  label: string
  at: string | null
  revokedAt: string | null
  revoke: () => Promise<void>
}

function Credential({ name, detail, label, at, revokedAt, revoke }: Props) {
  const words = useOwnWords(own)
  const { code } = useWords()
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2" data-credential={name}>
      <span className={`font-medium ${revokedAt === null ? '' : 'text-soft line-through'}`}>{name}</span>
      {detail !== '' && <span className="text-sm text-soft">{detail}</span>}
      <span className="ml-auto text-sm text-soft">
        {label} {at === null ? words.never : clockTime(at, code)}
      </span>
      {revokedAt === null ? (
        <Sure label={words.revoke} question={words.revokeSure} done={words.revokedDone(name)} act={revoke} />
      ) : (
        <span className="text-sm text-soft">{words.revoked}</span>
      )}
    </li>
  )
}
