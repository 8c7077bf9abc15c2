import { useState } from 'react'
import { canNotify, chooseNotices, wantsNotices } from '../domains/inbox/notices.ts'
import { Select } from '../parts/select.tsx'
import { useStore } from '../parts/use-store.ts'
import { useOwnWords, useWords } from '../parts/use-words.ts'
import { chooseLanguage } from '../words/words.ts'
import { chooseSingleKeys, singleKeys } from './keys.ts'
import { chooseDensity, chooseTheme, DENSITIES, type Density, density, THEMES, type Theme, theme } from './theme.ts'

const en = {
  notices: 'Notify me when something needs me',
  noticesHint: 'By the browser, only while this page is hidden. Off by default.',
  noticesRefused:
    'This browser does not allow notices from this page. Allow them in its site settings, then try again.',
}
const ja: typeof en = {
  notices: '対応が必要なときに通知する',
  noticesHint: 'このページが隠れている間だけ、ブラウザーが通知します。初期設定はオフです。',
  noticesRefused:
    'このページからの通知がブラウザーで許可されていません。サイトの設定で許可してから、もう一度お試しください。',
}
const noticeWords = { en, ja }

/** How the page looks, what it speaks, and which keys it listens to. Of this browser alone. */
export function Looks() {
  const words = useWords()
  const isOn = useStore(singleKeys)
  const chosen = useStore(theme)
  const room = useStore(density)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-3">
        <Select label={words.theme.label} value={chosen} onChange={event => chooseTheme(event.target.value as Theme)}>
          {THEMES.map(one => (
            <option key={one} value={one}>{`${words.theme.label}: ${words.theme[one]}`}</option>
          ))}
        </Select>
        <Select
          label={words.density.label}
          value={room}
          onChange={event => chooseDensity(event.target.value as Density)}
        >
          {DENSITIES.map(one => (
            <option key={one} value={one}>{`${words.density.label}: ${words.density[one]}`}</option>
          ))}
        </Select>
        <Select
          label={words.language}
          value={words.code}
          onChange={event => void chooseLanguage(event.target.value === 'ja' ? 'ja' : 'en')}
        >
          <option value="en">English</option>
          <option value="ja">日本語</option>
        </Select>
      </div>
      <label className="grid grid-cols-[auto_1fr] items-center gap-x-2.5">
        <input
          type="checkbox"
          checked={isOn}
          className="size-4 accent-ai"
          onChange={event => chooseSingleKeys(event.target.checked)}
        />
        <span>{words.keys.single}</span>
        <span className="col-start-2 text-sm text-soft">{words.keys.singleHint}</span>
      </label>
      {canNotify() && <NoticesChoice />}
    </div>
  )
}

function NoticesChoice() {
  const words = useOwnWords(noticeWords)
  const isOn = useStore(wantsNotices)
  const [isRefused, setRefused] = useState(false)
  return (
    <label className="grid grid-cols-[auto_1fr] items-center gap-x-2.5">
      <input
        type="checkbox"
        checked={isOn}
        className="size-4 accent-ai"
        onChange={event => void chooseNotices(event.target.checked).then(done => setRefused(!done))}
      />
      <span>{words.notices}</span>
      <span role="status" className={`col-start-2 text-sm ${isRefused ? 'text-kohaku' : 'text-soft'}`}>
        {isRefused ? words.noticesRefused : words.noticesHint}
      </span>
    </label>
  )
}
