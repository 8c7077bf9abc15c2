import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleX, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { checkRoles, useRoles } from './queries.ts'
import { crewWords } from './words.ts'

/** Which roles can be started, and why one cannot. */
export function Roles() {
  const words = useOwnWords(crewWords)
  const roles = useRoles()
  const queries = useQueryClient()
  const [isChecking, setChecking] = useState(false)
  if (roles.isError && !roles.data) return <Failure error={roles.error} again={() => void roles.refetch()} />
  if (!roles.data) return <Bars count={5} height={52} />
  const again = async () => {
    setChecking(true)
    // What failed is said by the line, and the button is there again.
    await checkRoles(queries).catch(() => {})
    setChecking(false)
  }
  const check = (
    <Button disabled={isChecking} onClick={() => void again()} data-check-roles>
      <RefreshCw size={14} aria-hidden="true" /> {words.roles.check}
    </Button>
  )
  if (roles.data.length === 0)
    return (
      <Empty title={words.roles.empty} hint={words.roles.emptyHint} cli="toryo doctor">
        {check}
      </Empty>
    )
  return (
    <>
      <ul className="mx-auto my-4 max-w-6xl divide-y divide-line overflow-hidden rounded-lg border border-line bg-sheet max-md:my-2 max-md:rounded-none max-md:border-x-0 md:w-[calc(100%-2rem)]">
        {roles.data.map(role => {
          const Icon = role.available ? CircleCheck : CircleX
          return (
            <li key={role.id} data-role={role.id} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-2.5">
              <Icon size={16} aria-hidden="true" className={role.available ? 'text-matsu' : 'text-shu'} />
              <span className="font-medium">
                <SafeText text={role.name} />
              </span>
              <span className="text-sm">{role.available ? words.roles.available : words.roles.unavailable}</span>
              <span className="text-sm text-soft">
                <SafeText text={[role.engine, role.model, role.permission].filter(Boolean).join(' · ')} />
              </span>
              {!role.available && (
                <p className="line-clamp-any w-full pl-7 text-sm text-soft">
                  {role.reason !== undefined && <SafeText text={role.reason} />}{' '}
                  <Link href="/settings/engines" className="text-ai underline underline-offset-2">
                    {words.roles.fix}
                  </Link>
                </p>
              )}
            </li>
          )
        })}
      </ul>
      <p className="mx-auto mb-6 max-w-6xl max-md:px-4 md:w-[calc(100%-2rem)]">{check}</p>
    </>
  )
}
