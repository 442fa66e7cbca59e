import { neuronModel } from '../../engine/index.ts';
import { answerCalls } from '../workers/calls.ts';
import { firingRates, runNeuron } from './host/run-neuron.ts';
import type { NeuronCalls } from './protocol.ts';

/** Neurons of the catalogue, one at a time: each answer takes a few milliseconds. */
answerCalls<NeuronCalls>({
  run: (ask) => runNeuron(neuronModel(ask.model), ask),
  rates: (ask) => firingRates(neuronModel(ask.model), ask),
});
