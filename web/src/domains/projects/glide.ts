// A card that another moved glides once to its new place. Lists draw only what is seen and cut off what leaves them: what glides is a
// picture of the card over the page, and the card itself appears when it is there. One at a time: of many that move at once the others
// are simply in their new places.
const MS = 160
/** Within these the card is drawn in its new place; else that is not in sight. */
const FRAMES = 12
/** Less is no move. */
const LEAST_PX = 8

let isBusy = false

/** Called before what is shown changes. */
export function glide(id: string): void {
  if (isBusy || document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const card = cardOn(id)
  const from = card?.getBoundingClientRect()
  if (!card || !from || !isInSight(from)) return
  isBusy = true
  const picture = pictureOf(card, id)
  const look = (frames: number) => {
    const now = cardOn(id)
    const to = now?.getBoundingClientRect()
    if (now && to && isDrawn(now) && isFar(from, to)) return isInSight(to) ? fly(picture, now, from, to) : done()
    if (frames === 0) return done()
    requestAnimationFrame(() => look(frames - 1))
  }
  requestAnimationFrame(() => look(FRAMES))
}

const done = () => void (isBusy = false)

function fly(picture: HTMLElement, card: HTMLElement, from: DOMRect, to: DOMRect): void {
  Object.assign(picture.style, { left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px`, margin: '0' })
  document.body.append(picture)
  const timing = { duration: MS, easing: 'ease-out' }
  card.animate({ opacity: [0, 0] }, timing)
  const start = `translate(${from.left - to.left}px, ${from.top - to.top}px)`
  const flight = picture.animate({ transform: [start, 'none'] }, timing)
  const land = () => {
    picture.remove()
    done()
  }
  flight.addEventListener('finish', land)
  flight.addEventListener('cancel', land)
}

/** It is no card: nothing finds, reads or touches it. */
function pictureOf(card: HTMLElement, id: string): HTMLElement {
  const picture = card.cloneNode(true) as HTMLElement
  picture.removeAttribute('data-task')
  picture.setAttribute('data-glides', id)
  picture.setAttribute('aria-hidden', 'true')
  picture.inert = true
  picture.classList.remove('relative')
  picture.classList.add('fixed', 'z-40', 'pointer-events-none')
  return picture
}

const cardOn = (id: string) => document.querySelector<HTMLElement>(`[data-column] [data-task="${CSS.escape(id)}"]`)

/** A list hides a card until it knows its height. */
const isDrawn = (card: HTMLElement) => getComputedStyle(card).visibility === 'visible'

const isFar = (from: DOMRect, to: DOMRect) => Math.hypot(to.left - from.left, to.top - from.top) > LEAST_PX

const isInSight = ({ left, right, top, bottom }: DOMRect) =>
  right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
