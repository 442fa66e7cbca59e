/**
 * Kernels as equations. `formula` is an expression of some numbers, element by element; `writeKernel` a whole
 * kernel with coordinates, scans and sums, whose gradient follows from its text. Both run on every backend.
 */
export { formula } from '../engine/ops/formula.ts';
export { NEURON_LIMITS } from '../engine/neurons/limits.ts';
export { parseNeuron } from '../engine/neurons/equations.ts';
export type { WrittenNeuron } from '../engine/kernels/written-neuron.ts';
