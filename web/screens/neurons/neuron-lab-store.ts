import { hostRunner } from '../../neuron-lab/host-runner.ts';
import { createMeasurements, type Measurements } from '../../neuron-lab/measurements.ts';
import { createNeuronLab, type NeuronLab } from '../../neuron-lab/neuron-lab.ts';
import type {
  MeasurementCalls,
  NeuronCalls,
  NeuronRunner,
  WrittenFacts,
} from '../../neuron-lab/protocol.ts';
import { type Caller, createCaller } from '../../workers/calls.ts';
import { startWorker } from '../../workers/start-worker.ts';
import { createStore } from 'zustand/vanilla';
import { createLatest } from '../../workers/latest.ts';
import { type Choice, MODEL_NAMES } from './neurons-fields.ts';
import { ownModel } from './own-model.ts';

let lab: NeuronLab | undefined;

/** The lab of this page, alive as long as the page. */
export function pageNeuronLab(): NeuronLab {
  lab ??= createNeuronLab();
  return lab;
}

let caller: Caller<NeuronCalls & MeasurementCalls> | undefined;

/** The models of the catalogue, in a worker that starts on the first request. */
const tabRunner: NeuronRunner = {
  run: (ask) => tabCaller().ask('run', ask),
  rates: (ask) => tabCaller().ask('rates', ask),
};

function tabCaller(): Caller<NeuronCalls & MeasurementCalls> {
  caller ??= createCaller(startWorker('neurons'));
  return caller;
}

interface WrittenState {
  /** The equations, once they are read; null while they cannot be. */
  readonly written: { readonly text: string; readonly facts: WrittenFacts } | null;
  /** The fault of the present ones, with line and column. */
  readonly message: string | null;
}

export const writtenNeuron = createStore<WrittenState>(() => ({ written: null, message: null }));

/** Reads equations in the worker: of those that cannot be read there is nothing to plot. */
export const readWritten = createLatest((text: string) => tabCaller().ask('read', text), {
  answered: (facts, text) => writtenNeuron.setState({ written: { text, facts }, message: null }),
  failed: (error) =>
    writtenNeuron.setState({
      written: null,
      message: error instanceof Error ? error.message : String(error),
    }),
});

let measurements: Measurements | undefined;

export function pageMeasurements(): Measurements {
  measurements ??= createMeasurements(tabCaller);
  return measurements;
}

/** The runner of a model: this tab, the host of its plugin, or the sandbox for the user's own model. */
export function runnerOf({ model, plugin, equations }: Choice): NeuronRunner {
  if (plugin) return hostRunner(plugin);
  if (equations !== undefined) return tabRunner;
  const isKnown = MODEL_NAMES.some((name) => name === model.name);
  return (isKnown ? null : ownModel.getState().runner) ?? tabRunner;
}
