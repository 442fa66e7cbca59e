/**
 * Kernels from text. `formula` is an expression of some numbers, element by element, and `parseNeuron` a neuron; their
 * gradients follow from the text, and they run on every backend.
 */
export { formula } from '../engine/ops/formula.ts';
export { NEURON_LIMITS } from '../engine/neurons/limits.ts';
export { parseNeuron } from '../engine/neurons/equations.ts';
export type { WrittenNeuron } from '../engine/kernels/written-neuron.ts';
