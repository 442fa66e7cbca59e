import { EngineError } from '../errors.ts';
import type { FamilyDescription } from '../settings/description.ts';
import * as all from './descriptions.ts';

/** The familyDescriptions with their literal types. */
export type Descriptions = typeof all;
export type Architecture = keyof Descriptions;

/** Every family as data, by its architecture. */
export const familyDescriptions: Readonly<Record<Architecture, FamilyDescription>> = all;

/** All architectures, in the order of lists. */
// Object.keys loses the type of the keys.
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
