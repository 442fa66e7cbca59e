import { EngineError } from '../errors.ts';
import type { NeuronModel } from '../kernels/neuron-model.ts';
import { neuronCatalogue } from './catalogue.ts';

/** What may stand in WGSL and in the names of tensors. */
const NAME = /^[a-z][a-z0-9_]*$/i;

/**
 * Checks a model that is not of the catalogue before anything relies on it. Throws EngineError
 * `invalid-setting` naming what is wrong.
 */
export function checkModel({ name, states, parameters, wgsl, step }: NeuronModel): void {
  const refuse = (problem: string) => {
    throw new EngineError('invalid-setting', `neuron model "${name}" ${problem}`);
  };
  if (!NAME.test(name)) refuse('has no usable name: expected letters, digits and _');
  if (Object.hasOwn(neuronCatalogue, name)) refuse('has the name of a model of the catalogue');
  if (states.length === 0) refuse('has no states: expected at least one');
  if (parameters.length === 0) refuse('has no parameters: expected at least one');
  if (!wgsl || !/\bfn\s+step\b/.test(wgsl))
    refuse('has no WGSL: expected one that declares fn step');
  if (typeof step !== 'function') refuse('has no step in TypeScript');
  const numbers = [...states, ...parameters];
  const unnamed = numbers.find((number) => !NAME.test(number.name));
  if (unnamed) refuse(`has a number named "${unnamed.name}": expected letters, digits and _`);
  const endless = numbers.find(({ initial }) => !Number.isFinite(initial));
  if (endless) refuse(`begins ${endless.name} with ${endless.initial}: expected a finite number`);
}
