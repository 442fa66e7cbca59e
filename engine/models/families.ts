import type * as z from 'zod/mini';
import { EngineError } from '../errors.ts';
import type { Family } from './family.ts';
import * as registry from './registry.ts';

/** The families with the literal types of their descriptions. */
export type Families = typeof registry;
export type Architecture = keyof Families;

/** Every family by its architecture. */
export const families: Readonly<Record<Architecture, Family>> = registry;

/** All architectures, in the order of lists. */
// Object.keys loses the type of the keys.
export const ARCHITECTURES = (Object.keys(registry) as Architecture[]).toSorted(
  (a, b) => families[a].rank - families[b].rank,
);

/** The model_spec of a family. */
export type SpecOf<A extends Architecture> = z.output<Families[A]['spec']>;

/** The model_spec of any family. */
export type KnownSpec = { [A in Architecture]: SpecOf<A> }[Architecture];

/** The family of an architecture. Throws EngineError `checkpoint-mismatch` for one that is unknown. */
export function familyOf(architecture: string): Family {
  const known = ARCHITECTURES.find((one) => one === architecture);
  if (known) return families[known];
  throw new EngineError(
    'checkpoint-mismatch',
    `the model has the architecture ${architecture}: expected ${ARCHITECTURES.join(', ')}`,
  );
}
