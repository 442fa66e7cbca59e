import { kernels } from '../../kernels/kernels.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { sharedTensor, type Tensor, wordCount } from '../../graph/tensor.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { spikeLinear } from '../../ops/linear.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import { decayOf } from '../../checks.ts';
import { updateTrace } from '../traces.ts';
import type { EpropStructure } from './structure.ts';

/** State carried from step to step of a sequence; initially zero. */
interface EpropState {
  readonly membrane: Tensor;
  /** Of the thresholds. */
  readonly adaptation: Tensor;
  /** `bits[1, batch, neurons]` */
  readonly spikes: Tensor;
  readonly inputTrace: Tensor;
  readonly recurrentTrace: Tensor;
  /** Of the spikes as the readout filters them. */
  readonly outputTrace: Tensor;
  readonly readout: Tensor;
  /** `[batch, pre, post]` for the input and for the recurrent weights. */
  readonly eligibilities: readonly [input: Tensor, recurrent: Tensor];
  /** The same for the adaptation, which plain LIF has none of. */
  readonly adaptations: readonly [input: Tensor, recurrent: Tensor] | undefined;
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
    begin: traceBegin(layout, state),
    step: traceStep(layout, structure, state, persistent),
    update: update.program,
    state,
    ...persistent,
    optimiser: { clock: update.clock, rates: update.rates },
  };
}

function createState(structure: EpropStructure): EpropState {
  const { batch, inputs, neurons, outputs, adaptation } = structure;
  const pair = (name: string) =>
    [
      f32(`${name} of inputs`, batch, inputs, neurons),
      f32(`${name} of recurrence`, batch, neurons, neurons),
    ] as const;
  return {
    membrane: f32('membrane', batch, neurons),
    adaptation: f32('adaptation', batch, neurons),
    spikes: sharedTensor('spikes', 'bits', [1, batch, neurons]),
    inputTrace: f32('input trace', batch, inputs),
    recurrentTrace: f32('recurrent trace', batch, neurons),
    outputTrace: f32('output trace', 1, batch, neurons),
    readout: f32('readout', 1, batch, outputs),
    eligibilities: pair('eligibility'),
    adaptations: adaptation && pair('adaptation eligibility'),
    loss: f32('loss', batch, outputs),
  };
}

function f32(name: string, ...shape: number[]): Tensor {
  return sharedTensor(name, 'f32', shape);
}

function traceBegin(layout: ParameterLayout, state: EpropState): Program {
  const graph = new Graph('begin', layout);
  const { spikes, eligibilities, adaptations = [], ...rest } = state;
  const zeroed = [...Object.values(rest), ...eligibilities, ...adaptations, layout.gradients];
  for (const target of zeroed)
    graph.call(kernels.fill, { target }, { count: wordCount(target), value: 0 });
  const silence = graph.local('silence', 'bits', spikes.shape);
  graph.call(kernels.copy, { source: silence, target: spikes }, { count: wordCount(spikes) });
  return graph.build();
}

type PersistentTensors = Pick<EpropPrograms, 'clock' | 'inputs' | 'targets' | 'feedback'>;

/** One step of network, readout and gradients, online: no future or past activity is needed. */
function traceStep(
  layout: ParameterLayout,
  structure: EpropStructure,
  state: EpropState,
  persistent: PersistentTensors,
): Program {
  const graph = new Graph('step', layout);
  const { input, wanted } = selectStep(graph, structure, persistent);
  const slope = recordNeurons(graph, structure, state, input);
  const kappa = decayOf('eprop', 'tauReadout', structure.tauReadout, structure.dt);
  const error = recordReadout(graph, state, wanted, kappa);
  const { batch: rows, neurons, outputs } = structure;
  const signal = graph.scratch('learning signal', 'f32', [rows, neurons]);
  const weight = persistent.feedback ?? layout.get('output').value;
  graph.call(
    kernels.linear_backward_input,
    { gradient: error, weight, inputGradient: signal },
    { rows, columns: neurons, depth: outputs, accumulate: false },
  );
  recordGradients(graph, structure, state, { slope, signal, error, kappa });
  graph.call(kernels.advance_clock, { clock: persistent.clock }, {});
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
    graph.call(kernels.select_step, { source, clock, target }, { count: wordCount(target), steps });
  }
  return { input, wanted };
}

/** Records presynaptic traces and the neurons; returns the surrogate gradients of their spikes. */
function recordNeurons(
  graph: Graph,
  structure: EpropStructure,
  { spikes, membrane, adaptation, inputTrace, recurrentTrace }: EpropState,
  input: Tensor,
): Tensor {
  const { batch: rows, neurons: width, tauMembrane, threshold, surrogate, dt } = structure;
  const decay = decayOf('eprop', 'tauMembrane', tauMembrane, dt);
  const weightOf = (name: string) => graph.layout.get(name).value;
  // The spikes are still those of the step before.
  updateTrace(graph, spikes, recurrentTrace, { decay });
  updateTrace(graph, input, inputTrace, { decay });
  const recurrent = spikeLinear(graph, spikes, weightOf('recurrent'));
  const current = spikeLinear(graph, input, weightOf('input'), { residual: recurrent });
  const slope = graph.scratch('slope', 'f32', [rows, width]);
  graph.call(
    kernels.eprop_neurons,
    { current, membrane, adaptation, spikes, slope },
    { rows, width, decay, threshold, ...adaptationOf(structure), surrogate },
  );
  return slope;
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
    kernels.readout_error,
    { current, target, membrane, error, loss },
    { count: wordCount(target), decay },
  );
  return error;
}

interface Signals {
  readonly slope: Tensor;
  readonly signal: Tensor;
  readonly error: Tensor;
  readonly kappa: number;
}

function recordGradients(
  graph: Graph,
  structure: EpropStructure,
  state: EpropState,
  { slope, signal, error, kappa }: Signals,
): void {
  const { batch: rows, neurons: post, inputs, outputs } = structure;
  const gradientOf = (name: string) => graph.layout.get(name).gradient;
  const sides = [
    { name: 'input', trace: state.inputTrace, pre: inputs },
    { name: 'recurrent', trace: state.recurrentTrace, pre: post },
  ];
  for (const [index, { name, trace, pre }] of sides.entries()) {
    const eligibility = state.eligibilities[index as 0 | 1];
    const operands = { trace, slope, signal, eligibility, gradient: gradientOf(name) };
    const attributes = { rows, pre, post, decay: kappa };
    if (!state.adaptations) graph.call(kernels.eprop_update, operands, attributes);
    else {
      graph.call(
        kernels.eprop_adaptive_update,
        { ...operands, adaptation: state.adaptations[index as 0 | 1] },
        { ...attributes, ...adaptationOf(structure) },
      );
    }
  }
  graph.call(
    kernels.linear_backward_weight,
    { input: state.outputTrace, gradient: error, weightGradient: gradientOf('output') },
    { rows: post, columns: outputs, depth: rows, accumulate: true },
  );
}

function adaptationOf({ adaptation, dt }: EpropStructure) {
  if (!adaptation) return { adaptationDecay: 0, adaptationGain: 0 };
  return {
    adaptationDecay: decayOf('eprop', 'adaptation.tau', adaptation.tau, dt),
    adaptationGain: adaptation.gain,
  };
}

function traceUpdate(layout: ParameterLayout, optimiser: AdamWOptions) {
  const graph = new Graph('update', layout);
  const clock = clockInput(graph);
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [1]);
  adamW(graph, optimiser, { rates, clock, norms });
  return { program: graph.build(), clock, rates };
}
