import type { ParameterLayout } from '../../graph/parameters.ts';
import {
  createKeyValueCache,
  traceTransformerReading,
  type TransformerReading,
} from './reading-programs.ts';
import type { TransformerStructure } from './structure.ts';

/** Rows of a program that reads many tokens of one sequence at once: prompts, and windows read again. */
export const PREFILL_ROWS = 32;

/** Programs that write one text at a time: a token each, and many tokens of a prompt at once. */
export function traceTransformerGeneration(
  layout: ParameterLayout,
  structure: TransformerStructure,
): readonly TransformerReading[] {
  const cache = createKeyValueCache(structure, 2);
  return [1, PREFILL_ROWS].map((rows) => traceTransformerReading(layout, structure, cache, rows));
}
