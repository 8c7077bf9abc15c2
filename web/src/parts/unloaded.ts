/** The hub was away when a part of the page was to be loaded, each browser in its own words. */
export const isUnloaded = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message)
