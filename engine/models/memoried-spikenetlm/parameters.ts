import type { ParameterSpec } from '../../graph/parameters.ts';
import { sparseParameters } from '../sparse-event-memory/parameters.ts';
import { STREAM_DEVIATION } from '../sparse-event-memory/structure.ts';
import { backboneOf, MODALITIES, type MemoriedStructure } from './structure.ts';

/** Those of the backbone, a vector for each modality, and the pooled head: 3 D + D C + C numbers more. */
export function memoriedParameters(structure: MemoriedStructure): ParameterSpec[] {
  const { width, rank, classes } = structure;
  // Features leave the backbone with sqrt(R) / (sigma D) to the unit, so that tied scores begin small.
  const toUnit = (STREAM_DEVIATION * width) / Math.sqrt(rank);
  return [
    ...sparseParameters(backboneOf(structure)),
    {
      name: 'modality.weight',
      shape: [MODALITIES.length, width],
      initial: { kind: 'normal', deviation: STREAM_DEVIATION },
      decayed: true,
    },
    {
      name: 'pooled.weight',
      shape: [width, classes],
      initial: { kind: 'normal', deviation: 0.1 * toUnit * width ** -0.5 },
      decayed: true,
    },
    {
      name: 'pooled.bias',
      shape: [classes],
      initial: { kind: 'constant', value: 0 },
      decayed: false,
    },
  ];
}
