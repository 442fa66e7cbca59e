import type { Finding } from './findings.ts';
import { findFiring, findInputScale } from './firing-rules.ts';
import { findExploding, findLabels, findRate } from './learning-rules.ts';
import type { Observations } from './observations.ts';

/**
 * Names why a network does not learn, the cause that the others follow from first; nothing where it is well.
 *
 * Inputs that are too large make steps too long, and steps that are too long silence or saturate layers; labels that are
 * shuffled leave all of these as they are. So each cause is looked for once those that would bring it about are not there.
 */
export function diagnoseObservations(observed: Observations): readonly Finding[] {
  const rate = findRate(observed);
  const tooHigh = rate?.cause === 'rate-too-high' ? rate : undefined;
  const scale = findInputScale(observed);
  if (scale) return [scale];
  if (tooHigh) return [tooHigh];
  const inside = [findFiring(observed), findExploding(observed)];
  const found = inside.filter((one) => one !== undefined);
  if (found.length > 0) return found;
  return [rate, findLabels(observed)].filter((one) => one !== undefined);
}
