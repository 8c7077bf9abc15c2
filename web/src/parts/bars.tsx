/** In the place of what is being loaded, of its height. They come late: what is there at once shows none. */
export function Bars({ count, height }: { count: number; height: number }) {
  return (
    <div aria-hidden="true" className="late flex flex-col gap-2 p-3">
      {Array.from({ length: count }, (_, index) => (
        <svg key={index} width="100%" height={height} className="block rounded-lg">
          <rect width="100%" height="100%" rx="8" className="fill-line opacity-60" />
        </svg>
      ))}
    </div>
  )
}
