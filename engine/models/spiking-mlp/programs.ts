import { differentiate } from '../../graph/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { crossEntropy } from '../../ops/cross-entropy.ts';
import { countFirings } from '../../ops/leaky.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import { outputMembranes } from './forward.ts';
import type { SpikingMlpStructure } from './structure.ts';

/** Losses and norms kept on the device; read them back before as many plays have passed. */
export const HISTORY_SLOTS = 256;

export interface TrainProgram {
  readonly program: Program;
  /** `[1, batch, inputs]` */
  readonly inputs: Tensor;
  /** `u32[steps * batch]`: the classes of the batch once for every time step. */
  readonly targets: Tensor;
  readonly clock: Tensor;
  readonly rates: Tensor;
  /** `[HISTORY_SLOTS]`: mean nats over inputs and time steps, and global norms of its gradient. */
  readonly losses: Tensor;
  readonly norms: Tensor;
}

/**
 * Forward, backward and optimiser: one step of training. The loss to be learned from is the sum over
 * time steps of the cross-entropy of the output membranes. Kept is their mean, whose gradient is T
 * times smaller; Adam takes the same steps for both once epsilon is as much smaller.
 */
export function traceTraining(
  layout: ParameterLayout,
  structure: SpikingMlpStructure,
  batch: number,
  optimiser: AdamWOptions,
): TrainProgram {
  const { steps } = structure;
  const graph = new Graph('train', layout);
  const inputs = inputsOf(graph, structure, batch);
  const targets = graph.local('targets', 'u32', [steps * batch]);
  const clock = clockInput(graph);
  const losses = graph.local('loss history', 'f32', [HISTORY_SLOTS]);
  const membranes = outputMembranes(graph, structure, inputs);
  const loss = crossEntropy(graph, membranes, targets, { history: losses, clock });
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [HISTORY_SLOTS]);
  differentiate(graph, loss);
  adamW(graph, { ...optimiser, epsilon: optimiser.epsilon / steps }, { rates, clock, norms });
  return { program: graph.build(), inputs, targets, clock, rates, losses, norms };
}

export interface EvaluateProgram {
  readonly program: Program;
  /** `[1, batch, inputs]` */
  readonly inputs: Tensor;
  /** `u32[batch, classes]`: spikes of the output neurons; the class with most of them is predicted. */
  readonly counts: Tensor;
}

/** What the network says to a batch of inputs. */
export function traceEvaluation(
  layout: ParameterLayout,
  structure: SpikingMlpStructure,
  batch: number,
): EvaluateProgram {
  const graph = new Graph('evaluate', layout);
  const inputs = inputsOf(graph, structure, batch);
  const membranes = outputMembranes(graph, structure, inputs);
  const counts = countFirings(graph, 'output spikes', membranes, structure.threshold);
  return { program: graph.build(), inputs, counts };
}

function inputsOf(graph: Graph, structure: SpikingMlpStructure, batch: number): Tensor {
  return graph.local('inputs', 'f32', [1, batch, structure.inputs]);
}
