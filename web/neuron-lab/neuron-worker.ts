import { type Backend, neuronModel, openBackend } from '../../engine/index.ts';
import { answerCalls } from '../workers/calls.ts';
import { measureSynchrony } from './host/measure-synchrony.ts';
import { measureWindow } from './host/measure-window.ts';
import { firingRates, runNeuron } from './host/run-neuron.ts';
import type { MeasurementCalls, NeuronCalls } from './protocol.ts';

let backend: Promise<Backend> | undefined;

/** A few thousand neurons: another thread would take longer to wake than they take to compute. */
function device(): Promise<Backend> {
  backend ??= openBackend('wasm', { gpu: undefined, threads: 1 });
  return backend;
}

/** Single neurons of the catalogue by their steps; what takes populations on the simulator. */
answerCalls<NeuronCalls & MeasurementCalls>({
  run: (ask) => runNeuron(neuronModel(ask.model), ask),
  rates: (ask) => firingRates(neuronModel(ask.model), ask),
  window: async (ask) => measureWindow(await device(), ask),
  synchrony: async (ask) => measureSynchrony(await device(), ask),
});
