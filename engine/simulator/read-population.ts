import { refuse } from './parse-values.ts';
import type { PopulationSpec } from './description.ts';

/** A population by its name. */
export function readPopulation(
  path: string,
  value: unknown,
  populations: readonly PopulationSpec[],
): PopulationSpec {
  const found = populations.find(({ name }) => name === value);
  return (
    found ?? refuse(path, value, `a population: ${populations.map(({ name }) => name).join(', ')}`)
  );
}
