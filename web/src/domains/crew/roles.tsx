import { CircleCheck, CircleX } from 'lucide-react'
import { Bars } from '../../parts/bars.tsx'
import { Failure } from '../../parts/failure.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { useRoles } from './queries.ts'
import { crewWords } from './words.ts'

/** Which roles can be started, and why one cannot. */
export function Roles() {
  const words = useOwnWords(crewWords)
  const roles = useRoles()
  if (roles.isError && !roles.data) return <Failure error={roles.error} again={() => void roles.refetch()} />
  if (!roles.data) return <Bars count={5} height={52} />
  if (roles.data.length === 0) return <p className="p-8 text-center text-soft">{words.roles.empty}</p>
  return (
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
            {role.reason !== undefined && (
              <p className="line-clamp-any w-full pl-7 text-sm text-soft">
                <SafeText text={role.reason} />
              </p>
            )}
          </li>
        )
      })}
    </ul>
  )
}
