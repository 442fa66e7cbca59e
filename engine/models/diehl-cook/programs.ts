import { simulatorKernels } from '../../kernels/simulator.ts';
import { plasticityKernels } from '../../kernels/plasticity.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { spikeLinear } from '../../ops/linear.ts';
import { randomSpikes } from '../../ops/random.ts';
import { adaptThreshold, normaliseIncoming } from '../../plasticity/homeostasis.ts';
import { decayOf } from '../../checks.ts';
import { stdp } from '../../plasticity/stdp.ts';
import { updateTrace } from '../../plasticity/traces.ts';
import type { DiehlCookStructure } from './structure.ts';

const STREAM = 0x10;

/** Learned state; all programs share it. */
interface Learned {
  /** `[inputs, neurons]` */
  readonly weight: Tensor;
  /** `[neurons]`: what each threshold has risen by. */
  readonly theta: Tensor;
}

export function createLearned({ inputs, neurons }: DiehlCookStructure): Learned {
  return {
    weight: sharedTensor('weight', 'f32', [inputs, neurons]),
    theta: sharedTensor('theta', 'f32', [neurons]),
  };
}

/** One step of a batch of images, each before neurons of its own. */
export interface StepProgram {
  readonly program: Program;
  readonly rows: number;
  /** `[1, rows, inputs]`: of a spike in a step. */
  readonly probabilities: Tensor;
  /** `u32[4]`: step, 0, seed; continues by itself. */
  readonly clock: Tensor;
  /** `[rows, neurons]`: spikes so far. */
  readonly counts: Tensor;
  /** State that each image starts from zero. */
  readonly state: readonly Tensor[];
}

/** A step in which neurons only answer. */
export function traceAnswering(
  layout: ParameterLayout,
  structure: DiehlCookStructure,
  learned: Learned,
  rows: number,
): StepProgram {
  const graph = new Graph(`answer ${rows}`, layout);
  const { fired: _, ...step } = traceStep(graph, structure, learned, rows);
  return { ...step, program: graph.build() };
}

/** A step in which they learn, one image at a time. */
export function traceLearning(
  layout: ParameterLayout,
  structure: DiehlCookStructure,
  learned: Learned,
): StepProgram {
  const graph = new Graph('learn', layout);
  const { inputs, neurons, dt, thresholdIncrement, tauThreshold } = structure;
  const { fired, ...step } = traceStep(graph, structure, learned, 1);
  adaptThreshold(graph, fired.post, learned.theta, {
    increment: thresholdIncrement,
    tauThreshold,
    dt,
  });
  const synapses = { pre: inputs, post: neurons, weight: learned.weight };
  const site = { name: 'stdp', synapses, spikes: fired, dt };
  const traces = stdp(graph, site, structure.stdp);
  return { ...step, state: [...step.state, traces.pre, traces.post], program: graph.build() };
}

/** Normalisation of the weights before each image. */
export function traceNormalising(
  layout: ParameterLayout,
  { inputs, neurons, totalWeight }: DiehlCookStructure,
  { weight }: Learned,
): Program {
  const graph = new Graph('normalise', layout);
  normaliseIncoming(graph, { pre: inputs, post: neurons, weight }, totalWeight);
  return graph.build();
}

function traceStep(
  graph: Graph,
  structure: DiehlCookStructure,
  { weight, theta }: Learned,
  rows: number,
) {
  const { inputs, neurons: width, dt, tauMembrane, threshold, reset } = structure;
  const clock = graph.local('clock', 'u32', [4]);
  const probabilities = graph.local('probabilities', 'f32', [1, rows, inputs]);
  const membrane = graph.local('membrane', 'f32', [rows, width]);
  const refractory = graph.local('refractory', 'u32', [rows, width]);
  const counts = graph.local('counts', 'f32', [rows, width]);
  const pre = randomSpikes(graph, probabilities, { stream: STREAM, clock });
  const post = graph.scratch('spikes', 'bits', [1, rows, width]);
  const current = spikeLinear(graph, pre, weight);
  graph.call(
    plasticityKernels.competing_lif,
    { current, offset: theta, membrane, refractory, spikes: post },
    {
      rows,
      width,
      decay: decayOf('diehlCook', 'tauMembrane', tauMembrane, dt),
      threshold,
      reset,
      refractorySteps: Math.round(structure.refractoryMs / dt),
    },
  );
  const strength = structure.inhibition;
  graph.call(
    plasticityKernels.lateral_inhibition,
    { spikes: post, membrane },
    { rows, width, strength },
  );
  updateTrace(graph, post, counts, { decay: 1 });
  graph.call(simulatorKernels.advance_clock, { clock }, {});
  const state = [membrane, refractory, counts];
  return { rows, probabilities, clock, counts, state, fired: { pre, post } };
}
