import { EngineError } from '../errors.ts';
import type { FamilyDescription } from '../settings/description.ts';
import * as all from './descriptions.ts';

/** The familyDescriptions with their literal types. */
export type Descriptions = typeof all;
/** The name of a model family, such as `dense_chronospike`. */
export type Architecture = keyof Descriptions;

/** Every family as data, by its architecture. */
export const familyDescriptions: Readonly<Record<Architecture, FamilyDescription>> = all;

// Object.keys loses the type of the keys.
/** All architectures, in the order of lists. */
export const ARCHITECTURES = (Object.keys(all) as Architecture[]).toSorted(
  (a, b) => familyDescriptions[a].rank - familyDescriptions[b].rank,
);

/** The architecture of a name. Throws EngineError `checkpoint-mismatch` for one that is unknown. */
export function parseArchitecture(name: string): Architecture {
  const known = ARCHITECTURES.find((one) => one === name);
  if (known) return known;
  throw new EngineError(
    'checkpoint-mismatch',
    `the model has the architecture ${name}: expected ${ARCHITECTURES.join(', ')}`,
  );
}
