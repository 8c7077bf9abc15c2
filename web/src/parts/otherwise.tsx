import { Component, type ReactNode } from 'react'
import { loadAgain } from './later.tsx'

type Props = { shown: ReactNode; children: ReactNode }

/** Something that the page can do without: where it throws, or cannot be loaded, the other is shown. */
export class Otherwise extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false }

  constructor(props: Props) {
    super(props)
    loadAgain()
  }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? this.props.shown : this.props.children
  }
}
