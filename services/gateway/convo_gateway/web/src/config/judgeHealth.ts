/** What a new config says of the health of its judge: the same as the service's own defaults. */
export const JUDGE_HEALTH = {
  max_failure_rate: 0.2,
  min_answers: 20,
  min_spread: null,
  min_self_agreement: 0.7,
  min_pairs: 20,
};
