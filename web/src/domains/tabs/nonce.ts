// xterm makes `<style>` elements and takes no nonce, and writes `style` attributes for cells with colours of their own. Under the
// page's policy both would be void: black on black.

/** From now on, each `<style>` that a script makes carries the nonce of this page, and `style` attributes are set as the policy allows it. */
export function stampStyles(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
  if (nonce === '') return
  const create = document.createElement.bind(document)
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
  // oxlint-disable-next-line typescript/unbound-method -- called with its element below
  const { setAttribute } = Element.prototype
  Element.prototype.setAttribute = function set(this: Element, name: string, value: string) {
    if (name === 'style' && this instanceof HTMLElement) this.style.cssText = value
    else setAttribute.call(this, name, value)
  }
}
