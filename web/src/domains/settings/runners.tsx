import { useQueryClient } from '@tanstack/react-query'
import type { RunnerView, TokenView } from '#contract/views.ts'
import { write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { CommandLine } from '../../parts/command-line.tsx'
import { Failure } from '../../parts/failure.tsx'
import { clockTime } from '../../parts/live-time.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { keys } from './live.ts'
import { Panel, Rows, Sure } from './parts.tsx'
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
