import { Graph } from '../graph/graph.ts';
import { formatPlan } from '../graph/program.ts';
import { planPrograms, type TrainingPlan } from '../train/plan-programs.ts';
import { featuresOf, type Shape } from './layer.ts';
import { type Network, outputsOf } from './network.ts';
import { inputTensor, scoresOf, startPass } from './predict.ts';

/** A layer of a network: its name, and the shapes of an example in one step in front of it and behind it. */
export interface LayerSummary {
  readonly name: string;
  readonly kind: string;
  readonly input: Shape;
  readonly output: Shape;
  /** Trained numbers. */
  readonly parameters: number;
}

/** Cost of a network on a device: parameters, bytes, and kernel calls. */
export interface Inspection {
  readonly layers: readonly LayerSummary[];
  /** Trained numbers. */
  readonly parameters: number;
  /** Bytes on a device in training, without what the loss takes: parameters, gradients, moments, and scratch. */
  readonly memory: TrainingPlan;
  /** Kernel calls of one prediction, by the name of the kernel. */
  readonly operations: Readonly<Record<string, number>>;
  /** Where every tensor of a prediction lies, and from which call to which, as text. */
  readonly plan: string;
}

/** A network as it would run on a batch, without a device. */
export function inspectModel(network: Network, batchSize: number): Inspection {
  const graph = new Graph('predict', network.layout);
  const input = inputTensor(graph, network, { frames: 1, dtype: 'f32' }, batchSize);
  scoresOf(graph, outputsOf(network, startPass(graph), input), undefined);
  const program = graph.build();
  const operations: Record<string, number> = {};
  for (const { kernel } of program.calls) {
    operations[kernel.name] = (operations[kernel.name] ?? 0) + 1;
  }
  return {
    layers: network.layers.map(({ site, kind, input: from, output, parameters }) => ({
      name: site.name,
      kind,
      input: from,
      output,
      parameters: parameters.reduce((sum, { shape }) => sum + featuresOf(shape), 0),
    })),
    parameters: network.layout.count,
    memory: planPrograms(network.layout, [program]),
    operations,
    plan: formatPlan(program),
  };
}
