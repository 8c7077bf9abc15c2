/** Of work whose program has not said anything about itself yet, and that belongs to no crew. */
export const NOT_REPORTED = {
  crew: null,
  result: null,
  model: null,
  stop_asked: false,
  tool_calls: null,
  tokens: null,
  cost_usd: null,
}
