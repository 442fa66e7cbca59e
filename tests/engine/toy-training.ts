import type { Backend } from '../../engine/graph/backend.ts';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters, type ParameterSpec } from '../../engine/graph/parameters.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { adamW } from '../../engine/ops/adamw.ts';
import { crossEntropy } from '../../engine/ops/cross-entropy.ts';
import { keep } from '../../engine/ops/keep.ts';
import { clockInput, createStepInputs, ratesInput } from '../../engine/ops/step-inputs.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { randomSource, type Source } from './random.ts';

/** A network that is to learn classes from examples made up on the way. */
export interface Toy {
  readonly specs: readonly ParameterSpec[];
  /** Of a batch. */
  readonly inputShape: readonly number[];
  readonly batch: number;
  readonly classes: number;
  /** Logits `[T, batch, classes]`. */
  readonly trace: (graph: Graph, inputs: Tensor) => Tensor;
  /** A batch of inputs of the given classes. */
  readonly examples: (labels: Uint32Array, from: Source) => Float32Array;
  readonly learningRate: number;
}

export interface Learned {
  readonly losses: Float32Array;
  /** Logits of a batch that was not trained on, `[T, batch, classes]`, with its classes. */
  readonly logits: Float32Array;
  readonly labels: Uint32Array;
}

/** A weight that starts uniform within `inputs^-0.5`. */
export function weightOf(name: string, shape: readonly number[], inputs: number): ParameterSpec {
  return { name, shape, initial: { kind: 'uniform', bound: inputs ** -0.5 }, decayed: false };
}

export async function train(backend: Backend, toy: Toy, steps: number): Promise<Learned> {
  const layout = layOutParameters(toy.specs);
  const graph = new Graph('toy', layout);
  const inputs = graph.local('inputs', 'f32', toy.inputShape);
  const logits = toy.trace(graph, inputs);
  const [times = 1] = logits.shape;
  const targets = graph.local('targets', 'u32', [times * toy.batch]);
  const [clock, rates] = [clockInput(graph), ratesInput(graph)];
  const [history, norms] = ['history', 'norms'].map((name) =>
    graph.local(name, 'f32', [steps + 1]),
  );
  const kept = keep(graph, 'kept logits', logits);
  const optimiser = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
  differentiate(graph, crossEntropy(graph, logits, targets, { history: history!, clock }));
  adamW(graph, optimiser, { rates, clock, norms: norms! });
  const program = graph.build();
  const player = await backend.load(layout, [program]);
  for (const parameter of layout.parameters) {
    player.write(parameter.value, initialValues(parameter, 1));
  }
  const step = createStepInputs({ seed: [1, 0], weightDecay: 0, clipNorm: 10, ...optimiser });
  const from = randomSource(1);
  let labels: Uint32Array = new Uint32Array(toy.batch);
  for (let i = 0; i <= steps; i++) {
    labels = from.integers(toy.batch, toy.classes);
    player.write(inputs, toy.examples(labels, from));
    player.write(
      targets,
      Uint32Array.from({ length: times * toy.batch }, (_, r) => labels[r % toy.batch]!),
    );
    step.set(i, i < steps ? toy.learningRate : 0);
    player.write(clock, step.clock);
    player.write(rates, step.rates);
    player.play(program);
  }
  const learned = {
    losses: Float32Array.from(await player.read(history!)),
    logits: Float32Array.from(await player.read(kept)),
    labels,
  };
  player.close();
  return learned;
}

/** Share of right answers by the logits of the steps from `first` on, added up. */
export function accuracyOf({ logits, labels }: Learned, classes: number, first = 0): number {
  const batch = labels.length;
  const times = logits.length / batch / classes;
  const right = [...labels].filter((label, r) => {
    const sums = Array.from({ length: classes }, (_, c) => {
      let sum = 0;
      for (let t = first; t < times; t++) sum += logits[(t * batch + r) * classes + c]!;
      return sum;
    });
    return sums.indexOf(Math.max(...sums)) === label;
  });
  return right.length / batch;
}
