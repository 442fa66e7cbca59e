import type * as z from 'zod/mini';
import type { Family } from './family.ts';
import { type Architecture, parseArchitecture } from './architectures.ts';
import * as registry from './registry.ts';

type Registry = typeof registry;

/** Every family by its architecture. */
export const families: Readonly<Record<Architecture, Family>> = registry;

/** The model_spec of a family. */
export type SpecOf<A extends Architecture> = z.output<Registry[A]['spec']>;

/** The model_spec of any family. */
export type KnownSpec = { [A in Architecture]: SpecOf<A> }[Architecture];

/** The family of an architecture. Throws as `parseArchitecture`. */
export const familyOf = (architecture: string): Family => families[parseArchitecture(architecture)];

/** The folder of a family. Throws as `parseArchitecture`. */
export const folderOf = (architecture: string): string =>
  parseArchitecture(architecture).replaceAll('_', '-');
