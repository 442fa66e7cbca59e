import { createNeuronLab, type NeuronLab } from '../../neuron-lab/neuron-lab.ts';
import { createCaller } from '../../workers/calls.ts';
import { startWorker } from '../../workers/start-worker.ts';

let lab: NeuronLab | undefined;

/** The lab of this page: its worker starts when the screen is first seen. */
export function theNeuronLab(): NeuronLab {
  lab ??= createNeuronLab(createCaller(startWorker('neurons')));
  return lab;
}
