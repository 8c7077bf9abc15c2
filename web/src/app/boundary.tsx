import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { currentWords } from '../words/words.ts'

/** `name` as people read it; another `place` is another try. */
type Props = { name: string; place: string; children: ReactNode }
type State = { error: Error | undefined; component: string; isCopied: boolean }

const WELL: State = { error: undefined, component: '', isCopied: false }

/** A view that throws says so in its own frame; the others go on. */
export class Boundary extends Component<Props, State> {
  override state: State = WELL

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(_: Error, { componentStack }: ErrorInfo) {
    this.setState({ component: componentStack ?? '' })
  }

  override componentDidUpdate({ place }: Props) {
    if (place !== this.props.place && this.state.error) this.setState(WELL)
  }

  #copy(report: string): void {
    void navigator.clipboard.writeText(report).then(() => this.setState({ isCopied: true }))
  }

  override render() {
    const { error, component, isCopied } = this.state
    if (!error) return this.props.children
    const { error: words } = currentWords()
    const report = [location.pathname, navigator.userAgent, error.stack ?? error.message, component].join('\n')
    return (
      <div role="alert" className="mx-auto flex max-w-lg flex-col items-start gap-3 px-6 py-12">
        <h2 className="text-lg font-semibold">{words.crashed(this.props.name)}</h2>
        <p>{words.crashedHint}</p>
        <code className="line-clamp-any font-mono text-xs text-soft">{error.message}</code>
        <div className="flex gap-2">
          <Button onClick={() => this.#copy(report)}>{isCopied ? words.copied : words.copy}</Button>
          <Button onClick={() => this.setState(WELL)}>{words.again}</Button>
        </div>
      </div>
    )
  }
}
