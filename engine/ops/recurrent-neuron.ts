import type { Gradients } from '../graph/gradient-rule.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { parameterValues } from '../kernels/equation-kernels.ts';
import { kernels } from '../kernels/kernels.ts';
import { recurrentKernels } from '../kernels/recurrent-equations.ts';
import type { WrittenNeuron } from '../kernels/written-neuron.ts';
import { type EquationOptions, type LearnedTensors, mappedLearned } from './equation-neuron.ts';
import { expectPositive, expectStepsBack, layerShape } from './layer-shapes.ts';
import { byRow, putStep, takeStep } from './learned-rows.ts';
import { recurrentWeightGradientInto } from './recurrent-lif.ts';
import { columnSumInto } from './row-sums.ts';
import { expectShape } from './shapes.ts';

interface RecurrentOptions extends Omit<EquationOptions, 'checkpoints'> {
  /** `[width]`, added in every step. */
  readonly bias?: Tensor;
}

/** Neurons, the tensors of their learned parameters, and the weight `[width, width]` from and to. */
interface RecurrentNeurons {
  readonly neuron: WrittenNeuron;
  readonly learned: LearnedTensors;
  readonly weight: Tensor;
}

/** A layer while it is traced. */
interface Layer extends RecurrentNeurons {
  readonly current: Tensor;
  readonly bias: Tensor | undefined;
  readonly steps: number;
  readonly rows: number;
  readonly width: number;
  /** All learned parameters for each row, `[parameters, rows, width]`. */
  readonly learnedRows: Tensor | undefined;
}

/** The tensors that a step read: the gradient of the step reads them again. */
type StepReads = Readonly<Record<string, Tensor | undefined>>;

/**
 * Neurons that are given as equations and also receive their own layer's spikes of the step before, from their first
 * states: spikes `bits[T, rows, width]` from a current `[T or 1, rows, width]`. As a product stands between two steps,
 * each step is a few kernels, forward and back, and states are kept. `recurrentLif` is one kernel for all steps.
 */
export function recurrentNeuron(
  graph: Graph,
  current: Tensor,
  neurons: RecurrentNeurons,
  { steps, surrogate, surrogateWidth = 1, bias }: RecurrentOptions,
): Tensor {
  const { neuron, weight } = neurons;
  const { rows, width } = layerShape('recurrentNeuron', current, steps);
  expectShape('recurrentNeuron weight', weight, [width, width]);
  if (bias) expectShape('recurrentNeuron bias', bias, [width]);
  expectPositive('recurrentNeuron', { surrogateWidth });
  expectStepsBack('recurrentNeuron', steps);
  const own = mappedLearned(graph, neuron, neurons.learned, width);
  const learnedRows = byRow(graph, own, { rows, width });
  const layer: Layer = { ...neurons, current, bias, steps, rows, width, learnedRows };
  const spikes = graph.scratch('recurrent spikes', 'bits', [steps, rows, width]);
  const reads = runForward(graph, layer, spikes);
  graph.differentiable({
    inputs: [current, weight, ...(bias ? [bias] : []), ...own],
    output: spikes,
    backward(gradient, gradients) {
      const options = { surrogate, surrogateWidth };
      const back = runBackward(graph, layer, { reads, gradient, options });
      const { currentGradient } = back;
      recurrentWeightGradientInto(graph, gradients, { spikes, weight, gradient: currentGradient });
      if (bias) columnSumInto(gradients, graph, bias, currentGradient);
      for (const index of recurrentKernels(neuron).learned) {
        const tensor = own[index];
        if (!tensor || !back.learned) continue;
        columnSumInto(gradients, graph, tensor, takeStep(graph, back.learned, index));
      }
      currentGradientInto(graph, gradients, { current, currentGradient });
    },
  });
  return spikes;
}

/** Runs all steps and returns what each of them read. */
function runForward(graph: Graph, layer: Layer, spikes: Tensor): StepReads[] {
  const { neuron, weight, bias, rows, width } = layer;
  const { forward } = recurrentKernels(neuron);
  const product = { rows, columns: width, depth: width, residualRows: rows, accumulate: false };
  const attributes = { rows, width, ...parameterValues(neuron) };
  fill(graph, spikes, 0);
  let fired = filled(graph, 'fired', { dtype: 'bits', shape: [rows, width] }, 0);
  let states = firstStates(graph, layer);
  return Array.from({ length: layer.steps }, (_, t) => {
    const residual = takeStep(graph, layer.current, t);
    const input = graph.scratch(`input of step ${t}`, 'f32', [rows, width]);
    const operands = { spikes: fired, weight, output: input, bias, residual };
    graph.call(kernels.spike_linear_forward, operands, product);
    const reads = { input, states, learned: layer.learnedRows };
    const nexts = states && graph.scratch(`states of step ${t}`, 'f32', states.shape);
    fired = graph.scratch(`fired in step ${t}`, 'bits', [rows, width]);
    graph.call(forward, present({ ...reads, nexts, spikes: fired }), attributes);
    putStep(graph, spikes, fired, t);
    states = nexts;
    return reads;
  });
}

interface Backward {
  readonly reads: readonly StepReads[];
  /** Of the spikes. */
  readonly gradient: Tensor;
  readonly options: { readonly surrogate: string; readonly surrogateWidth: number };
}

/** Goes back through the steps; returns the gradient of each step's input, and those of what is learned by row. */
function runBackward(
  graph: Graph,
  { neuron, weight, rows, width, steps, learnedRows }: Layer,
  { reads, gradient, options }: Backward,
) {
  const { backward, carried, learned } = recurrentKernels(neuron);
  const zeros = (name: string, shape: readonly number[]) =>
    filled(graph, name, { dtype: 'f32', shape }, 0);
  const currentGradient = zeros('gradient of inputs', [steps, rows, width]);
  const learnedGradients =
    learnedRows && learned.length > 0
      ? zeros('gradients of learned parameters', learnedRows.shape)
      : undefined;
  const shape = [neuron.states.length, rows, width];
  let nextGradients = carried.length > 0 ? zeros('gradients of last states', shape) : undefined;
  let inputGradient: Tensor | undefined;
  for (const [t, read] of [...reads.entries()].toReversed()) {
    const spikeGradient = takeStep(graph, gradient, t);
    if (inputGradient) {
      const operands = { gradient: inputGradient, weight, inputGradient: spikeGradient };
      const product = { rows, columns: width, depth: width, accumulate: true };
      graph.call(kernels.linear_backward_input, operands, product);
    }
    const stateGradients =
      nextGradients && graph.scratch(`gradients of states ${t}`, 'f32', nextGradients.shape);
    inputGradient = graph.scratch(`gradient of input ${t}`, 'f32', [rows, width]);
    const gradients = { nextGradients, stateGradients, learnedGradients, inputGradient };
    graph.call(backward, present({ ...read, gradient: spikeGradient, ...gradients }), {
      rows,
      width,
      ...parameterValues(neuron),
      ...options,
    });
    putStep(graph, currentGradient, inputGradient, t);
    nextGradients = stateGradients;
  }
  return { currentGradient, learned: learnedGradients };
}

/** The states before the first step, `[states, rows, width]`; undefined for neurons without any. */
function firstStates(graph: Graph, { neuron, rows, width }: Layer): Tensor | undefined {
  if (neuron.states.length === 0) return undefined;
  const all = { dtype: 'f32', shape: [neuron.states.length, rows, width] } as const;
  const states = filled(graph, 'first states', all, 0);
  for (const [index, { name, initial }] of neuron.states.entries()) {
    const one = { dtype: 'f32', shape: [rows, width] } as const;
    if (initial !== 0) putStep(graph, states, filled(graph, `first ${name}`, one, initial), index);
  }
  return states;
}

/** Comes last in a rule: a current of each step takes its gradient over. */
function currentGradientInto(
  graph: Graph,
  gradients: Gradients,
  { current, currentGradient }: { current: Tensor; currentGradient: Tensor },
): void {
  const steps = currentGradient.shape[0] ?? 1;
  if (current.shape[0] === steps) {
    gradients.give(current, currentGradient);
    return;
  }
  const count = wordCount(current);
  gradients.into(current, (target, accumulate) =>
    graph.call(
      kernels.sum_steps,
      { source: currentGradient, target },
      { count, steps, accumulate },
    ),
  );
}

function fill(graph: Graph, target: Tensor, value: number): void {
  graph.call(kernels.fill, { target }, { count: wordCount(target), value });
}

function filled(
  graph: Graph,
  name: string,
  { dtype, shape }: Pick<Tensor, 'dtype' | 'shape'>,
  value: number,
): Tensor {
  const tensor = graph.scratch(name, dtype, shape);
  fill(graph, tensor, value);
  return tensor;
}

/** The operands that there are. */
function present(operands: StepReads): Readonly<Record<string, Tensor>> {
  const given = Object.entries(operands).filter(([, tensor]) => tensor !== undefined);
  return Object.fromEntries(given) as Readonly<Record<string, Tensor>>;
}
