/** In English: `1 file`, `1,204 files`. */
export const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`
