// A card that is dragged, and one that another is dragged over. Its left part orders, its right part links; with Alt all of it links.
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useState } from 'react'
import { type Card, isClosed } from './model.ts'

/** `over`: nothing happens here but what the column does. */
export type Zone = 'above' | 'below' | 'waits' | 'parent' | 'over'
type Input = { clientX: number; clientY: number; altKey: boolean; shiftKey: boolean }

const LINKING = 0.6

export function useCardDrag(ref: RefObject<HTMLElement | null>, card: Card, cutOff: string | undefined) {
  const [isDragged, setDragged] = useState(false)
  const [zone, setZone] = useState<Zone>()
  const { task_id: taskId, status, project_id: project } = card
  useEffect(() => {
    const element = ref.current
    if (!element || cutOff !== undefined) return undefined
    const zoneFor = (source: Record<string | symbol, unknown>, input: Input) => {
      const canOrder = source['status'] === status && !isClosed(status)
      return zoneAt(element.getBoundingClientRect(), input, canOrder)
    }
    return combine(
      draggable({
        element,
        getInitialData: () => ({ taskId, status, project }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      // The column hears of it and does it.
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data['taskId'] !== taskId && source.data['project'] === project,
        getData: ({ input, source }) => ({ taskId, zone: zoneFor(source.data, input) }),
        onDrag: ({ location, source }) => setZone(zoneFor(source.data, location.current.input)),
        onDragLeave: () => setZone(undefined),
        onDrop: () => setZone(undefined),
      }),
    )
  }, [ref, taskId, status, project, cutOff])
  return { isDragged, zone }
}

type Box = { top: number; left: number; width: number; height: number }

export function zoneAt({ top, left, width, height }: Box, input: Input, canOrder: boolean): Zone {
  if (input.altKey) return input.shiftKey ? 'parent' : 'waits'
  const isUpper = input.clientY < top + height / 2
  if (input.clientX > left + width * LINKING) return isUpper ? 'waits' : 'parent'
  if (!canOrder) return 'over'
  return isUpper ? 'above' : 'below'
}
