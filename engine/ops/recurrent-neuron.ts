import type { Gradients } from '../graph/gradient-rule.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { parameterValues } from '../kernels/equation-kernels.ts';
import { linearKernels } from '../kernels/dense.ts';
import { memoryKernels } from '../kernels/memory.ts';
import { recurrentKernels } from '../kernels/recurrent-equations.ts';
import { expectAlone, type WrittenNeuron } from '../kernels/written-neuron.ts';
import { type EquationOptions, type LearnedTensors, mappedLearned } from './equation-neuron.ts';
import { expectPositive, expectStepsBack, layerShape } from './layer-shapes.ts';
import { byRow, putStep, takeStep } from './learned-rows.ts';
import { recurrentWeightGradientInto } from './recurrent-lif.ts';
import { columnSumInto } from './row-sums.ts';
import { type SegmentStart, segmentStart } from './segment-states.ts';
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
  expectAlone(neuron, 'a recurrent layer, whose steps are kernels of their own,');
  const { rows, width } = layerShape('recurrentNeuron', current, steps);
  expectShape('recurrentNeuron weight', weight, [width, width]);
  if (bias) expectShape('recurrentNeuron bias', bias, [width]);
  expectPositive('recurrentNeuron', { surrogateWidth });
  expectStepsBack('recurrentNeuron', steps);
  const own = mappedLearned(graph, neuron, neurons.learned, width);
  const learnedRows = byRow(graph, own, { rows, width });
  const layer: Layer = { ...neurons, current, bias, steps, rows, width, learnedRows };
  const spikes = graph.scratch('recurrent spikes', 'bits', [steps, rows, width]);
  const ends = segmentEnds(graph, layer);
  const reads = runForward(graph, layer, spikes, ends);
  graph.differentiable({
    inputs: [current, weight, ...(bias ? [bias] : []), ...own],
    output: spikes,
    isCarried: ends !== undefined,
    backward(gradient, gradients) {
      const options = { surrogate, surrogateWidth };
      const back = runBackward(graph, layer, { reads, gradient, options, ends });
      const { currentGradient } = back;
      const ofWeight = { spikes, weight, gradient: currentGradient, before: ends?.fired.values };
      recurrentWeightGradientInto(graph, gradients, ofWeight);
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

/** Values that pass into a segment of the steps and out of it, forward and back. */
interface Ends {
  readonly states: SegmentStart | undefined;
  readonly fired: SegmentStart;
  readonly stateGradient: Tensor | undefined;
  /** Of the current of the step behind, which the last spikes drive. */
  readonly inputGradient: Tensor;
}

function segmentEnds(graph: Graph, { neuron, rows, width }: Layer): Ends | undefined {
  const { segment } = graph;
  if (!segment) return undefined;
  const count = neuron.states.length;
  const shape = [rows, width];
  const own = { name: 'recurrent states', dtype: 'f32', shape: [count, ...shape] } as const;
  const first = neuron.states.map(({ initial }) => ({ words: rows * width, value: initial }));
  const numbers = (name: string, axes: readonly number[]) =>
    segment.carry({ name, dtype: 'f32', shape: axes });
  return {
    states: count > 0 ? segmentStart(graph, segment, { ...own, first }) : undefined,
    fired: segmentStart(graph, segment, { name: 'recurrent fired', dtype: 'bits', shape }),
    stateGradient: count > 0 ? numbers('recurrent gradient of states', own.shape) : undefined,
    inputGradient: numbers('recurrent gradient of input', shape),
  };
}

/** Runs all steps and returns what each of them read. */
function runForward(
  graph: Graph,
  layer: Layer,
  spikes: Tensor,
  ends: Ends | undefined,
): StepReads[] {
  const { neuron, weight, bias, rows, width } = layer;
  const { forward } = recurrentKernels(neuron);
  const product = { rows, columns: width, depth: width, residualRows: rows, accumulate: false };
  const attributes = { rows, width, ...parameterValues(neuron) };
  fill(graph, spikes, 0);
  const none = { dtype: 'bits', shape: [rows, width] } as const;
  let fired = ends ? ends.fired.values : filled(graph, 'fired', none, 0);
  let states = ends ? ends.states?.values : firstStates(graph, layer);
  const all = Array.from({ length: layer.steps }, (_, t) => {
    const residual = takeStep(graph, layer.current, t);
    const input = graph.scratch(`input of step ${t}`, 'f32', [rows, width]);
    const operands = { spikes: fired, weight, output: input, bias, residual };
    graph.call(linearKernels.spike_linear_forward, operands, product);
    const reads = { input, states, learned: layer.learnedRows };
    const nexts = states && graph.scratch(`states of step ${t}`, 'f32', states.shape);
    fired = graph.scratch(`fired in step ${t}`, 'bits', [rows, width]);
    graph.call(forward, present({ ...reads, nexts, spikes: fired }), attributes);
    putStep(graph, spikes, fired, t);
    states = nexts;
    return reads;
  });
  ends?.fired.leave(fired);
  if (states) ends?.states?.leave(states);
  return all;
}

interface Backward {
  readonly reads: readonly StepReads[];
  /** Of the spikes. */
  readonly gradient: Tensor;
  readonly options: { readonly surrogate: string; readonly surrogateWidth: number };
  readonly ends: Ends | undefined;
}

/** Goes back through the steps; returns the gradient of each step's input, and those of what is learned by row. */
function runBackward(graph: Graph, layer: Layer, { reads, gradient, options, ends }: Backward) {
  const { neuron, weight, rows, width, steps, learnedRows } = layer;
  const { backward, carried, learned } = recurrentKernels(neuron);
  const zeros = (name: string, shape: readonly number[]) =>
    filled(graph, name, { dtype: 'f32', shape }, 0);
  const currentGradient = zeros('gradient of inputs', [steps, rows, width]);
  const learnedGradients =
    learnedRows && learned.length > 0
      ? zeros('gradients of learned parameters', learnedRows.shape)
      : undefined;
  let nextGradients = carried.length > 0 ? lastGradients(graph, layer, ends) : undefined;
  let inputGradient = ends?.inputGradient;
  for (const [t, read] of [...reads.entries()].toReversed()) {
    const spikeGradient = takeStep(graph, gradient, t);
    if (inputGradient) {
      const operands = { gradient: inputGradient, weight, inputGradient: spikeGradient };
      const product = { rows, columns: width, depth: width, accumulate: true };
      graph.call(linearKernels.linear_backward_input, operands, product);
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
  leave(graph, inputGradient, ends?.inputGradient);
  leave(graph, nextGradients, ends?.stateGradient);
  return { currentGradient, learned: learnedGradients };
}

/** Gradients of the last states: those of the segment behind, or none. */
function lastGradients(
  graph: Graph,
  { neuron, rows, width }: Layer,
  ends: Ends | undefined,
): Tensor {
  const shape = [neuron.states.length, rows, width];
  const name = 'gradients of last states';
  return ends?.stateGradient ?? filled(graph, name, { dtype: 'f32', shape }, 0);
}

/** Keeps a gradient for the segment before. */
function leave(graph: Graph, source: Tensor | undefined, target: Tensor | undefined): void {
  if (source && target)
    graph.call(memoryKernels.copy, { source, target }, { count: wordCount(target) });
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
      memoryKernels.sum_steps,
      { source: currentGradient, target },
      { count, steps, accumulate },
    ),
  );
}

function fill(graph: Graph, target: Tensor, value: number): void {
  graph.call(memoryKernels.fill, { target }, { count: wordCount(target), value });
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
