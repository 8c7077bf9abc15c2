/** English words that a question is made of and an answer is not. Dropped from queries only; the index keeps them. */
export const STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can
  cannot could did do does doing down during each few for from further had has have having he her here hers herself him
  himself his how i if in into is it its itself let me more most my myself no nor not of off on once only or other ought
  our ours ourselves out over own same she should so some such than that the their theirs them themselves then there
  these they this those through to too under until up us very was we were what when where which while who whom whose why
  will with would you your yours yourself yourselves d ll m re s t ve`
    .trim()
    .split(/\s+/),
)
