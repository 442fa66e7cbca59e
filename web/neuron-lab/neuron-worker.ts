import {
  type Backend,
  type NeuronModel,
  neuronModel,
  openBackend,
  parseNeuron,
  writtenModel,
} from '../../engine/index.ts';
import { answerCalls } from '../workers/calls.ts';
import { measureSynchrony } from './host/measure-synchrony.ts';
import { measureWindow } from './host/measure-window.ts';
import { firingRates, runNeuron } from './host/run-neuron.ts';
import type { MeasurementCalls, NeuronCalls, NeuronRequest } from './protocol.ts';

let backend: Promise<Backend> | undefined;

/** A few thousand neurons: another thread would take longer to wake than they take to compute. */
function device(): Promise<Backend> {
  backend ??= openBackend('wasm', { gpu: undefined, threads: 1 });
  return backend;
}

let last: { readonly text: string; readonly model: NeuronModel } | undefined;

/** The model of a text; that of the last one is kept, as sliders ask for it again and again. */
function written(text: string): NeuronModel {
  if (last?.text !== text) last = { text, model: writtenModel('equations', parseNeuron(text)) };
  return last.model;
}

const modelOf = ({ model, equations }: NeuronRequest): NeuronModel =>
  equations === undefined ? neuronModel(model) : written(equations);

/** Single neurons of the catalogue by their steps; what takes populations on the simulator. */
answerCalls<NeuronCalls & MeasurementCalls>({
  run: (ask) => runNeuron(modelOf(ask), ask),
  rates: (ask) => firingRates(modelOf(ask), ask),
  read(text) {
    const { dt } = parseNeuron(text);
    const { name, states, parameters } = written(text);
    return { name, states, parameters, dt, isWritten: true };
  },
  window: async (ask) => measureWindow(await device(), ask),
  synchrony: async (ask) => measureSynchrony(await device(), ask),
});
