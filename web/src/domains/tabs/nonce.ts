// xterm makes `<style>` elements and takes no nonce. Under the page's policy they would be void: black on black.

/** From now on, each `<style>` that a script makes carries the nonce of this page. */
export function stampStyles(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
  if (nonce === '') return
  const create = document.createElement.bind(document) as (
    name: string,
    options?: ElementCreationOptions,
  ) => HTMLElement
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }) as typeof document.createElement
}
