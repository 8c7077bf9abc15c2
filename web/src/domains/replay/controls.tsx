import { ChevronFirst, ChevronLast, Pause, Play, StepBack, StepForward } from 'lucide-react'
import { useMemo } from 'react'
import { Button } from '../../parts/button.tsx'
import { type Command, useCommands } from '../../parts/command.ts'
import { KeyHint } from '../../parts/key-hint.tsx'
import { Select } from '../../parts/select.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import type { Film } from './model.ts'
import { type Player, SPEEDS } from './player.ts'
import { replayWords } from './words.ts'

/** `isLive`: at its end, which is now. */
export function Controls({ film, player, isLive }: { film: Film; player: Player; isLive: boolean }) {
  const words = useOwnWords(replayWords)
  const { code, line } = useWords()
  const { time, count, isPlaying, speed, seek, step, toggle, setSpeed } = player
  const shown = film.events[count - 1]
  const moment = shown
    ? `${new Date(shown.at).toLocaleString(code, { dateStyle: 'short', timeStyle: 'medium' })}, ${words.of(count, film.events.length)}`
    : words.before
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="flex items-center gap-1">
        <Step label={words.first} icon={ChevronFirst} go={() => seek(-1)} />
        <Step label={words.back} icon={StepBack} go={() => step(-1)} />
        <Button look="main" onClick={toggle} aria-label={isPlaying ? words.pause : words.play} className="w-12">
          {isPlaying ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
        </Button>
        <Step label={words.next} icon={StepForward} go={() => step(1)} />
        <Step label={words.last} icon={ChevronLast} go={() => seek(film.length)} />
      </div>
      <input
        type="range"
        aria-label={words.moment}
        aria-valuetext={moment}
        className="h-8 min-w-40 flex-1 accent-ai max-md:order-last max-md:h-11 max-md:basis-full"
        min={-1}
        max={film.length}
        step="any"
        value={time}
        onChange={event => seek(Number(event.target.value))}
      />
      <Select label={words.speed} value={speed} onChange={event => setSpeed(Number(event.target.value))}>
        {SPEEDS.map(one => (
          <option key={one} value={one}>{`${one}×`}</option>
        ))}
      </Select>
      {isLive && (
        <span data-live-edge title={words.live} className="flex items-center gap-1.5 text-sm text-soft">
          <span aria-hidden="true" className="text-matsu">
            ●
          </span>
          {line.live}
        </span>
      )}
      <span className="flex items-center gap-1.5 text-sm text-soft max-md:hidden">
        <KeyHint keys="Space" /> <KeyHint keys="← →" />
      </span>
    </div>
  )
}

function Step({ label, icon: Icon, go }: { label: string; icon: typeof Play; go: () => void }) {
  return (
    <Button look="quiet" aria-label={label} title={label} onClick={go} className="!px-2">
      <Icon size={16} aria-hidden="true" />
    </Button>
  )
}

/** `now`: always the newest. */
export function useReplayKeys(now: { current: { film: Film; player: Player } }): void {
  const commands = useMemo((): Command[] => {
    const text =
      (of: (words: typeof replayWords.en) => string): Command['title'] =>
      w =>
        of(replayWords[w.code])
    const by = (count: number) => () => now.current.player.step(count)
    return [
      { id: 'replay.play', title: text(w => w.play), keys: [' '], run: () => now.current.player.toggle() },
      { id: 'replay.back', title: text(w => w.back), keys: ['ArrowLeft'], run: by(-1), onlyKeys: true },
      { id: 'replay.next', title: text(w => w.next), keys: ['ArrowRight'], run: by(1), onlyKeys: true },
      { id: 'replay.back10', title: text(w => w.back10), keys: ['Shift+ArrowLeft'], run: by(-10), onlyKeys: true },
      { id: 'replay.next10', title: text(w => w.next10), keys: ['Shift+ArrowRight'], run: by(10), onlyKeys: true },
      {
        ...{ id: 'replay.first', title: text(w => w.first), keys: ['Home'], onlyKeys: true },
        run: () => now.current.player.seek(-1),
      },
      {
        ...{ id: 'replay.last', title: text(w => w.last), keys: ['End'], onlyKeys: true },
        run: () => now.current.player.seek(now.current.film.length),
      },
    ]
  }, [now])
  useCommands(commands)
}
