/**
 * Networks without gradients: populations and projections described as data, drawn from a seed, run and recorded.
 * Times are milliseconds, potentials millivolts, as the neurons of the catalogue say.
 */
export { neuronCatalogue, neuronModel } from '../engine/neurons/catalogue.ts';
export { parseNeuron } from '../engine/neurons/equations.ts';
export { writtenModel } from '../engine/neurons/written-model.ts';
export { type WrittenName, writtenNeurons } from '../engine/neurons/written-catalogue.ts';
export { plasticityRules } from '../engine/plasticity/simulator-rules.ts';
export { pairRule } from '../engine/plasticity/stdp-rules.ts';
export * from '../engine/simulator/index.ts';
