import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import {
  equationKernels,
  isPacked,
  learnedGradient,
  learnedOperand,
  type NeuronOutput,
  parameterValues,
} from '../kernels/equation-kernels.ts';
import type { WrittenNeuron } from '../kernels/written-neuron.ts';
import { activation } from './activation.ts';
import { expectPositive, expectStepsBack, layerShape } from './layer-shapes.ts';
import type { LayerOptions } from './neuron-layer.ts';
import { byRow, takeStep } from './learned-rows.ts';
import { columnSumInto } from './row-sums.ts';
import { segmentStates } from './segment-states.ts';
import { expectShape } from './shapes.ts';

export interface EquationOptions extends LayerOptions {
  /** Distance from the threshold that the surrogate takes for one unit; 1 by default. */
  readonly surrogateWidth?: number;
}

/** The tensors of a neuron's learned parameters by name, `[width]` or `[1]`: see `learnedStart`. */
export type LearnedTensors = Readonly<Record<string, Tensor>>;

/** A neuron with the tensors of what it learns. */
interface Neurons {
  readonly neuron: WrittenNeuron;
  readonly learned: LearnedTensors;
}

/**
 * A layer of neurons that are given as equations, over all T steps in one kernel, from their first states:
 * spikes `bits[T, rows, width]` from a current `[T or 1, rows, width]`. Kernels are made when they are first
 * needed. Gradients flow into the current and the learned parameters, as the equations say; `detach(x)` stops them.
 */
export function equationNeuron(
  graph: Graph,
  current: Tensor,
  neurons: Neurons,
  options: EquationOptions,
): Tensor {
  const spikes = graph.scratch('spikes', 'bits', outputShape(current, options.steps));
  traceLayer(graph, 'spikes', { ...neurons, current, output: spikes }, options);
  return spikes;
}

/**
 * How far each of these neurons is above its threshold in each step, before its reset, `f32[T, rows, width]`: the
 * membrane where the threshold is fixed and 0, as readouts and losses on membranes take it. With the same gradients.
 */
export function equationMembrane(
  graph: Graph,
  current: Tensor,
  neurons: Neurons,
  options: EquationOptions,
): Tensor {
  const excess = graph.scratch('membranes', 'f32', outputShape(current, options.steps));
  traceLayer(graph, 'excess', { ...neurons, current, output: excess }, options);
  return excess;
}

function outputShape(current: Tensor, steps: number): readonly number[] {
  const { rows, width } = layerShape('equationNeuron', current, steps);
  return [steps, rows, width];
}

interface Traced extends Neurons {
  readonly current: Tensor;
  readonly output: Tensor;
}

function traceLayer(
  graph: Graph,
  name: NeuronOutput,
  { neuron, learned, current, output }: Traced,
  { steps, surrogate, surrogateWidth = 1, checkpoints }: EquationOptions,
): void {
  const { rows, width, currentSteps } = layerShape('equationNeuron', current, steps);
  expectPositive('equationNeuron', { surrogateWidth });
  const initial = neuron.states.map((state) => state.initial);
  const carried = segmentStates(graph, 'equationNeuron', { rows, width, initial });
  const kernels = equationKernels(neuron, name, carried ? 'part' : 'whole');
  const own = mappedLearned(graph, neuron, learned, width);
  const reads = learnedReads(graph, neuron, own, width);
  const attributes = { steps, rows, width, currentSteps, ...parameterValues(neuron) };
  graph.call(kernels.forward, { current, [name]: output, ...reads, ...carried?.forth }, attributes);
  carried?.leave();
  graph.differentiable({
    inputs: [current, ...own],
    output,
    isCarried: carried !== undefined,
    backward(gradient, gradients) {
      expectStepsBack('equationNeuron', steps, checkpoints);
      const writes = learnedWrites(graph, neuron, rows, width);
      const back = { surrogate, surrogateWidth, checkpoints: checkpoints === 'sqrt' };
      const all = { ...attributes, ...back };
      const ends = { ...reads, ...writes, ...carried?.back };
      const isHeld = currentSteps !== steps;
      const currentGradient = isHeld
        ? graph.scratch('gradient of current', 'f32', current.shape)
        : gradient;
      if (isHeld) {
        const operands = { current, gradient, currentGradient, ...ends };
        graph.call(kernels.backwardHeld, operands, all);
      } else graph.call(kernels.backward, { current, gradient, ...ends }, all);
      for (const [index, tensor] of own.entries()) {
        if (kernels.reaches.learned[index] !== true) continue;
        const { learnedGradient: packed } = writes;
        const rowGradient = packed
          ? takeStep(graph, packed, index)
          : writes[learnedGradient(index)];
        if (rowGradient) columnSumInto(gradients, graph, tensor, rowGradient);
      }
      if (kernels.reaches.current) gradients.give(current, currentGradient);
    },
  });
}

/** How far each neuron is above its threshold, `[T, rows, width]`, kept after the play for plots. */
export function equationExcess(
  graph: Graph,
  name: string,
  {
    current,
    neuron,
    learned,
    steps,
  }: Neurons & { readonly current: Tensor; readonly steps: number },
): Tensor {
  const { rows, width, currentSteps } = layerShape('equationExcess', current, steps);
  const excess = graph.local(name, 'f32', [steps, rows, width]);
  const own = mappedLearned(graph, neuron, learned, width);
  const reads = learnedReads(graph, neuron, own, width);
  graph.call(
    equationKernels(neuron, 'excess').forward,
    { current, excess, ...reads },
    { steps, rows, width, currentSteps, ...parameterValues(neuron) },
  );
  return excess;
}

type Operands = Readonly<Record<string, Tensor>>;

/** The operands of learned parameters. */
function learnedReads(
  graph: Graph,
  neuron: WrittenNeuron,
  own: readonly Tensor[],
  width: number,
): Operands {
  const all = isPacked(neuron) ? byRow(graph, own, { rows: 1, width }) : undefined;
  if (all) return { learned: all };
  return Object.fromEntries(own.map((tensor, index) => [learnedOperand(index), tensor]));
}

/** The operands of their gradients by row. */
function learnedWrites(graph: Graph, neuron: WrittenNeuron, rows: number, width: number): Operands {
  const { learned } = neuron;
  const scratch = (name: string, ...shape: readonly number[]) =>
    graph.scratch(`gradient of ${name} by row`, 'f32', shape);
  if (isPacked(neuron)) {
    return { learnedGradient: scratch('learned parameters', learned.length, rows, width) };
  }
  return Object.fromEntries(
    learned.map(({ name }, index) => [learnedGradient(index), scratch(name, rows, width)]),
  );
}

/** Where in its range each learned parameter is. */
export function mappedLearned(
  graph: Graph,
  { learned }: WrittenNeuron,
  tensors: LearnedTensors,
  width: number,
): Tensor[] {
  return learned.map(({ name, per, range }) => {
    const tensor = tensors[name];
    if (!tensor) {
      throw new EngineError('invalid-setting', `equationNeuron: there is no tensor of ${name}`);
    }
    expectShape(`equationNeuron ${name}`, tensor, [per === 'neuron' ? width : 1]);
    return range ? activation(graph, tensor, 'sigmoid') : tensor;
  });
}
