import type { FoundCause } from './contract/memory.ts';

/** What is told of a cause, without how it was found. */
export const foundCause = ({
  cause,
  effect,
  relation,
  confidence,
  evidence,
}: FoundCause): FoundCause => ({ cause, effect, relation, confidence, evidence });
