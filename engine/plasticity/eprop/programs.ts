import { epropKernels } from '../../kernels/eprop.ts';
import { plasticityKernels } from '../../kernels/plasticity.ts';
import { simulatorKernels } from '../../kernels/simulator.ts';
import { linearKernels } from '../../kernels/dense.ts';
import { memoryKernels } from '../../kernels/memory.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { sharedTensor, type Tensor, wordCount } from '../../graph/tensor.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { spikeLinear } from '../../ops/linear.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import { decayOf } from '../../checks.ts';
import { updateTrace } from '../traces.ts';
import { lifNeurons } from './lif-neurons.ts';
import { carried, type EpropNeurons } from './neuron-model.ts';
import type { EpropStructure } from './structure.ts';
import { writtenNeurons } from './written-neurons.ts';

/** State carried from step to step of a sequence; initially zero. */
interface EpropState {
  /** `bits[1, batch, neurons]` */
  readonly spikes: Tensor;
  /** Of the spikes as the readout filters them. */
  readonly outputTrace: Tensor;
  readonly readout: Tensor;
  /** `[batch, outputs]`: half the squared error of the steps so far. */
  readonly loss: Tensor;
}

export interface EpropPrograms {
  /** Everything to zero, gradients too. */
  readonly begin: Program;
  readonly step: Program;
  /** Gradients to weights. */
  readonly update: Program;
  readonly state: EpropState;
  /** `u32[4]`: counts the steps; the host sets it to zero. */
  readonly clock: Tensor;
  /** `bits[steps, batch, inputs]` */
  readonly inputs: Tensor;
  /** `[steps, batch, outputs]` */
  readonly targets: Tensor;
  /** `[neurons, outputs]`, where feedback is random. */
  readonly feedback: Tensor | undefined;
  readonly optimiser: { readonly clock: Tensor; readonly rates: Tensor };
}

export function traceEprop(
  layout: ParameterLayout,
  structure: EpropStructure,
  optimiser: AdamWOptions,
): EpropPrograms {
  const { steps, batch, inputs, outputs, neurons } = structure;
  const { equations } = structure;
  const neuronModel = equations ? writtenNeurons(structure, equations) : lifNeurons(structure);
  const state = createState(structure);
  const persistent = {
    clock: sharedTensor('step clock', 'u32', [4]),
    inputs: sharedTensor('inputs', 'bits', [steps, batch, inputs]),
    targets: sharedTensor('targets', 'f32', [steps, batch, outputs]),
    feedback:
      structure.feedback === 'random'
        ? sharedTensor('feedback', 'f32', [neurons, outputs])
        : undefined,
  };
  const update = traceUpdate(layout, optimiser);
  return {
    begin: traceBegin(layout, state, neuronModel),
    step: traceStep(layout, structure, { state, persistent, neuronModel }),
    update: update.program,
    state,
    ...persistent,
    optimiser: { clock: update.clock, rates: update.rates },
  };
}

function createState({ batch, neurons, outputs }: EpropStructure): EpropState {
  return {
    spikes: sharedTensor('spikes', 'bits', [1, batch, neurons]),
    outputTrace: carried('output trace', 1, batch, neurons),
    readout: carried('readout', 1, batch, outputs),
    loss: carried('loss', batch, outputs),
  };
}

function traceBegin(
  layout: ParameterLayout,
  { spikes, ...rest }: EpropState,
  neuronModel: EpropNeurons,
): Program {
  const graph = new Graph('begin', layout);
  for (const target of [...Object.values(rest), ...neuronModel.zeroed, layout.gradients])
    graph.call(memoryKernels.fill, { target }, { count: wordCount(target), value: 0 });
  const silence = graph.local('silence', 'bits', spikes.shape);
  graph.call(memoryKernels.copy, { source: silence, target: spikes }, { count: wordCount(spikes) });
  neuronModel.begin?.(graph);
  return graph.build();
}

type PersistentTensors = Pick<EpropPrograms, 'clock' | 'inputs' | 'targets' | 'feedback'>;

interface StepParts {
  readonly state: EpropState;
  readonly persistent: PersistentTensors;
  readonly neuronModel: EpropNeurons;
}

/** One step of network, readout and gradients, online: no future or past activity is needed. */
function traceStep(
  layout: ParameterLayout,
  structure: EpropStructure,
  { state, persistent, neuronModel }: StepParts,
): Program {
  const graph = new Graph('step', layout);
  const { input, wanted } = selectStep(graph, structure, persistent);
  const kappa = decayOf('eprop', 'tauReadout', structure.tauReadout, structure.dt);
  const learn = neuronModel.step(graph, { input, recurrent: state.spikes }, kappa);
  const error = recordReadout(graph, state, wanted, kappa);
  const { batch: rows, neurons, outputs } = structure;
  const signal = graph.scratch('learning signal', 'f32', [rows, neurons]);
  const weight = persistent.feedback ?? layout.get('output').value;
  graph.call(
    linearKernels.linear_backward_input,
    { gradient: error, weight, inputGradient: signal },
    { rows, columns: neurons, depth: outputs, accumulate: false },
  );
  learn(signal, kappa);
  graph.call(
    linearKernels.linear_backward_weight,
    {
      input: state.outputTrace,
      gradient: error,
      weightGradient: layout.get('output').gradient,
    },
    { rows: neurons, columns: outputs, depth: rows, accumulate: true },
  );
  graph.call(simulatorKernels.advance_clock, { clock: persistent.clock }, {});
  return graph.build();
}

/** Input and target of the current step. */
function selectStep(
  graph: Graph,
  { steps, batch: rows, inputs: width, outputs }: EpropStructure,
  { clock, inputs, targets }: PersistentTensors,
) {
  const input = graph.scratch('input spikes', 'bits', [1, rows, width]);
  const wanted = graph.scratch('target', 'f32', [1, rows, outputs]);
  for (const [source, target] of [
    [inputs, input],
    [targets, wanted],
  ] as const) {
    graph.call(
      plasticityKernels.select_step,
      { source, clock, target },
      { count: wordCount(target), steps },
    );
  }
  return { input, wanted };
}

/** Leaky readout of the new spikes; returns its error. */
function recordReadout(
  graph: Graph,
  { spikes, outputTrace, readout: membrane, loss }: EpropState,
  target: Tensor,
  decay: number,
): Tensor {
  updateTrace(graph, spikes, outputTrace, { decay });
  const current = spikeLinear(graph, spikes, graph.layout.get('output').value);
  const error = graph.scratch('error', 'f32', target.shape);
  graph.call(
    epropKernels.readout_error,
    { current, target, membrane, error, loss },
    { count: wordCount(target), decay },
  );
  return error;
}

function traceUpdate(layout: ParameterLayout, optimiser: AdamWOptions) {
  const graph = new Graph('update', layout);
  const clock = clockInput(graph);
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [1]);
  adamW(graph, optimiser, { rates, clock, norms });
  return { program: graph.build(), clock, rates };
}
