/** Whoever launches what is due. */
export interface Wake {
  wake(): void
}
