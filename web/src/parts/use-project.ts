import { useLocation, useSearch } from 'wouter'

/** The one that every view is narrowed to: in the address, so that Back and a pasted address work. */
export function useProject(): [string | null, (project: string | null) => void] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const project = new URLSearchParams(search).get('project')
  const choose = (next: string | null) => {
    const query = new URLSearchParams(search)
    if (next === null) query.delete('project')
    else query.set('project', next)
    const text = query.toString()
    navigate(text === '' ? path : `${path}?${text}`)
  }
  return [project, choose]
}
