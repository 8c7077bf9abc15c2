import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { Browsers } from './browsers.tsx'
import { ConfigPanel } from './config.tsx'
import { Doctor } from './doctor.tsx'
import { Engines } from './engines.tsx'
import { TABS, tabOf } from './model.ts'
import { Facts, Panel } from './parts.tsx'
import { useHub, useWhoami } from './queries.ts'
import { Registration } from './registration.tsx'
import { Runners } from './runners.tsx'
import { words as own } from './words.ts'

/** `looks`: how the page looks and listens to keys, which is the frame's to change. `projects`: another domain's. */
export function Settings({ looks, projects }: { looks: ReactNode; projects: ReactNode }) {
  const words = useOwnWords(own)
  const [path] = useLocation()
  const search = useSearch()
  const current = tabOf(path)
  const tabs = useRef<HTMLElement>(null)
  // On a phone they do not all fit.
  useEffect(() => {
    const tab = tabs.current?.querySelector(`[data-tab=${current}]`)
    tab?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [current])
  return (
    <div className="flex h-full min-h-0 flex-col">
      <nav
        ref={tabs}
        aria-label={words.label}
        className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-4 max-md:px-2"
      >
        {TABS.map(tab => (
          <Link
            key={tab}
            data-tab={tab}
            href={`/settings/${tab}${search === '' ? '' : `?${search}`}`}
            aria-current={tab === current ? 'page' : undefined}
            className={`flex h-11 shrink-0 items-center border-b-2 px-3 whitespace-nowrap outline-offset-[-2px] ${tab === current ? 'border-ai font-medium' : 'border-transparent text-soft hover:text-ink'}`}
          >
            {words.tabs[tab]}
          </Link>
        ))}
      </nav>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="flex max-w-4xl flex-col gap-8 px-8 py-6 max-md:px-4 max-md:py-4" data-settings={current}>
          {current === 'general' && <General looks={looks} />}
          {current === 'projects' && projects}
          {current === 'engines' && <Engines />}
          {current === 'registration' && <Registration />}
          {current === 'runners' && <Runners />}
          {current === 'browsers' && <Browsers />}
          {current === 'doctor' && <Doctor />}
        </div>
      </div>
    </div>
  )
}

function General({ looks }: { looks: ReactNode }) {
  const words = useOwnWords(own)
  const who = useWhoami().data
  const hub = useHub().data
  return (
    <>
      <Panel title={words.tabs.general}>{looks}</Panel>
      <ConfigPanel />
      {who && (
        <Panel title={words.you} hint={words.youHint}>
          <Facts
            facts={[
              [words.person, <SafeText key="person" text={who.person ?? words.noPerson} />],
              [words.rights, who.may === 'everything' ? words.everything : who.may],
            ]}
          />
        </Panel>
      )}
      {hub && (
        <Panel title={words.hub}>
          <Facts
            facts={[
              [words.version, hub.version],
              [words.database, <SafeText key="db" text={hub.db} />],
              [words.address, hub.url],
            ]}
          />
        </Panel>
      )}
    </>
  )
}
