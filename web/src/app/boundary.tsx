import { Component, type ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { currentWords } from '../words/words.ts'

type Props = { name: string; children: ReactNode }

/** A view that throws says so in its own frame; the others go on. */
export class Boundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidUpdate({ name }: Props) {
    if (name !== this.props.name && this.state.error) this.setState({ error: undefined })
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    const { error: words } = currentWords()
    const report = `${this.props.name}\n${location.pathname}\n${navigator.userAgent}\n${error.stack ?? error.message}`
    return (
      <div role="alert" className="mx-auto flex max-w-lg flex-col items-start gap-3 px-6 py-12">
        <h2 className="text-lg font-semibold">{words.crashed(this.props.name)}</h2>
        <p>{words.crashedHint}</p>
        <code className="line-clamp-any font-mono text-xs text-soft">{error.message}</code>
        <div className="flex gap-2">
          <Button onClick={() => void navigator.clipboard.writeText(report)}>{words.copy}</Button>
          <Button onClick={() => this.setState({ error: undefined })}>{words.again}</Button>
        </div>
      </div>
    )
  }
}
