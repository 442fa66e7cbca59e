import type { NeuronModel } from '../../engine/index.ts';
import { answerCalls } from '../workers/calls.ts';
import { parseModel } from './host/parse-model.ts';
import { firingRates, runNeuron } from './host/run-neuron.ts';
import type { SandboxCalls } from './protocol.ts';

let model: NeuronModel | undefined;

function loaded(): NeuronModel {
  if (!model) throw new Error('no model was opened');
  return model;
}

answerCalls<SandboxCalls>({
  async load(code) {
    const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    try {
      model = parseModel(await import(/* @vite-ignore */ address));
    } finally {
      URL.revokeObjectURL(address);
    }
    const { name, states, parameters } = model;
    return { name, states, parameters };
  },
  run: (ask) => runNeuron(loaded(), ask),
  rates: (ask) => firingRates(loaded(), ask),
});
