import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { loadAgain } from '../parts/later.tsx'
import { isUnloaded } from '../parts/unloaded.ts'
import { currentWords } from '../words/words.ts'

/** `name` as people read it; another `place` is another try. `close`: it floats over the view, and can be closed. */
type Props = { name: string; place: string; close?: () => void; children: ReactNode }
type State = { error: Error | undefined; stack: string; isCopied: boolean }

const WELL: State = { error: undefined, stack: '', isCopied: false }
const FLOATS = 'fixed inset-x-3 top-[12vh] z-40 rounded-xl border border-line bg-sheet p-6 shadow-2xl'

/** What throws says so in its own frame; everything else goes on. */
export class Boundary extends Component<Props, State> {
  override state: State = WELL

  constructor(props: Props) {
    super(props)
    loadAgain()
  }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(_: Error, { componentStack }: ErrorInfo) {
    this.setState({ stack: componentStack ?? '' })
  }

  override componentDidUpdate({ place }: Props) {
    if (place !== this.props.place && this.state.error) this.#again()
  }

  #again(): void {
    loadAgain()
    this.setState(WELL)
  }

  #copy(report: string): void {
    void navigator.clipboard.writeText(report).then(() => this.setState({ isCopied: true }))
  }

  override render() {
    const { error, stack, isCopied } = this.state
    const { name, close, children } = this.props
    if (!error) return children
    const { error: words, notice } = currentWords()
    // Nothing is broken: a part of the page is not here yet, and the hub is away.
    const isAway = isUnloaded(error)
    const report = [location.pathname, navigator.userAgent, error.stack ?? error.message, stack].join('\n')
    return (
      <div role="alert" className={`mx-auto flex max-w-lg flex-col items-start gap-3 ${close ? FLOATS : 'px-6 py-12'}`}>
        <h2 className="text-lg font-semibold">{isAway ? words.title : words.crashed(name)}</h2>
        <p>{isAway ? words.unreached : words.crashedHint}</p>
        {!isAway && (
          <code className="line-clamp-any font-mono text-xs text-soft">
            {error.message}
            <br />
            {componentIn(stack)}
          </code>
        )}
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => this.#again()}>{words.again}</Button>
          {!isAway && <Button onClick={() => this.#copy(report)}>{isCopied ? words.copied : words.copy}</Button>}
          {close && (
            <Button look="quiet" onClick={close}>
              {notice.close}
            </Button>
          )}
        </div>
      </div>
    )
  }
}

/** The component that threw: the first line of React's own list, without the host. */
export function componentIn(stack: string): string {
  const first = stack.split('\n').find(line => line.trim() !== '') ?? ''
  return first.trim().replace(/https?:\/\/[^/]+\/(?:assets\/)?/, '')
}
