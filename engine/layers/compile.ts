import { EngineError } from '../errors.ts';
import type { Backend, Player } from '../graph/backend.ts';
import { Graph } from '../graph/graph.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { describe, type DType, type Tensor, wordCount } from '../graph/tensor.ts';
import type { LossOutputs } from '../losses/loss.ts';
import { differentiate } from '../ops/gradients.ts';
import { keep } from '../ops/keep.ts';
import { batchLoss } from '../ops/row-losses.ts';
import { clockInput, createStepInputs, type StepInputs } from '../ops/step-inputs.ts';
import type { Optimizer } from '../optimizers/optimizer.ts';
import { keyOf } from '../random/philox.ts';
import { initialValues } from '../train/initial-values.ts';
import { type Network, outputsOf } from './network.ts';
import { seedOf } from './options.ts';

type Words = Float32Array | Uint32Array;

/** Parameters that one of several optimizers trains: those whose names begin so. */
export interface OptimizerPart {
  readonly optimizer: Optimizer;
  readonly prefix: string;
}

/** A program while it is written. */
export interface Trace {
  readonly graph: Graph;
  /** An input that each call gives, such as `[1, rows, features]`. */
  input(name: string, shape: readonly number[], dtype?: DType): Tensor;
  /** A network on an input: spikes, membranes, numbers, and the spikes of every layer. */
  forward(
    network: Network,
    input: Tensor,
    options?: { readonly isTraining?: boolean },
  ): LossOutputs;
  /**
   * Differentiates the mean of one loss for each row, `[1, rows, 1]`, and has each optimizer train its
   * parameters. Last, and once in a program.
   */
  train(losses: Tensor, optimizers: Optimizer | readonly OptimizerPart[]): void;
}

/** Results of one call of a program. */
export interface Played {
  /** The tensors that the program names, by name. */
  readonly outputs: Readonly<Record<string, Words>>;
  /** Mean loss, and norm of its gradient before clipping; NaN in a program that does not train. */
  readonly loss: number;
  readonly norm: number;
}

/**
 * A program as a function of its inputs. `rate` multiplies the learning rates of this step. Steps are counted, as
 * moments and random draws need it. Throws EngineError `shape-mismatch` for an input that is missing or too long.
 */
export type PlayProgram = (
  inputs: Readonly<Record<string, Words>>,
  options?: { readonly rate?: number },
) => Promise<Played>;

/** Programs on one device that share their parameters. */
export interface Compiled<Names extends string> {
  readonly programs: Readonly<Record<Names, PlayProgram>>;
  /** A copy of the parameter block. */
  values(): Promise<Float32Array>;
  /** Overwrites the parameter block. */
  setValues(values: Float32Array): void;
  close(): void;
}

/** The device and the parameters that compiled programs work on. */
export interface CompileOptions {
  readonly backend: Backend;
  readonly layout: ParameterLayout;
  /** The parameter block to begin with; drawn from the seed where it is left out. */
  readonly values?: Float32Array;
  /** Of parameters and random draws; 0 by default. */
  readonly seed?: number;
}

/**
 * Loads programs that are written op by op, on a model or on a device with a layout of parameters: each function records one and names the tensors that a call gives
 * back. Throws EngineError as the ops do.
 */
export async function compile<Names extends string>(
  { backend, layout, values, seed = 0 }: CompileOptions,
  functions: Readonly<Record<Names, (trace: Trace) => Readonly<Record<string, Tensor>>>>,
): Promise<Compiled<Names>> {
  const names = Object.keys(functions) as Names[];
  const traced = names.map((name) => traceProgram(name, layout, functions[name]));
  const player = await backend.load(
    layout,
    traced.map(({ program }) => program),
  );
  if (values) player.write(layout.values, values);
  else {
    for (const parameter of layout.parameters) {
      player.write(parameter.value, initialValues(parameter, seedOf(seed)));
    }
  }
  const played = traced.map((one, index) => [names[index], playOf(player, one, seed)] as const);
  return {
    programs: Object.fromEntries(played) as Record<Names, PlayProgram>,
    values: async () => ((await player.read(layout.values)) as Float32Array).slice(),
    setValues: (given) => player.write(layout.values, given),
    close: () => player.close(),
  };
}

/** An optimizer of a program, and what the host writes for it. */
interface Learning {
  readonly optimizer: Optimizer;
  readonly rates: Tensor;
}

interface Traced {
  readonly program: Program;
  readonly inputs: ReadonlyMap<string, Tensor>;
  readonly outputs: readonly (readonly [name: string, tensor: Tensor])[];
  readonly clock: Tensor;
  readonly learning: readonly Learning[];
  readonly history: Tensor;
  readonly norms: Tensor;
}

function traceProgram(
  name: string,
  layout: ParameterLayout,
  write: (trace: Trace) => Readonly<Record<string, Tensor>>,
): Traced {
  const graph = new Graph(name, layout);
  const clock = clockInput(graph);
  const history = graph.local('loss history', 'f32', [1]);
  const norms = graph.local('norms', 'f32', [1]);
  const inputs = new Map<string, Tensor>();
  let learning: readonly Learning[] = [];
  const outputs = write({
    graph,
    input(own, shape, dtype = 'f32') {
      const tensor = graph.local(`input ${own}`, dtype, shape);
      inputs.set(own, tensor);
      return tensor;
    },
    forward: (network, input, { isTraining = false } = {}) =>
      outputsOf(network, { graph, isTraining, clock }, input),
    train(losses, optimizers) {
      differentiate(graph, losses, batchLoss(graph, losses, { history, clock }));
      const parts = 'update' in optimizers ? [{ optimizer: optimizers, prefix: '' }] : optimizers;
      learning = parts.map(({ optimizer, prefix }, index) => {
        const rates = graph.local(`rates ${index}`, 'f32', [5]);
        // One optimizer alone trains all, with the kernel that takes the whole block.
        const only = prefix === '' ? undefined : ownedBy(prefix);
        optimizer.update(graph, { rates, clock, norms }, only);
        return { optimizer, rates };
      });
    },
  });
  const kept = Object.entries(outputs).map(
    ([own, tensor]) => [own, keep(graph, `output ${own}`, tensor)] as const,
  );
  return { program: graph.build(), inputs, outputs: kept, clock, learning, history, norms };
}

const ownedBy =
  (prefix: string) =>
  ({ spec }: { readonly spec: { readonly name: string } }): boolean =>
    spec.name.startsWith(prefix);

function playOf(player: Player, traced: Traced, seed: number): PlayProgram {
  const { program, inputs, outputs, learning, history, norms, clock } = traced;
  const steps = learning.map((one) => ({ ...one, inputs: stepInputsOf(one, seed) }));
  const counter = createStepInputs({
    weightDecay: 0,
    clipNorm: 0,
    beta1: 0,
    beta2: 0,
    seed: keyOf(seed),
  });
  let step = 0;
  return async (given, { rate = 1 } = {}) => {
    for (const [name, tensor] of inputs) writeInput(player, { name, tensor, data: given[name] });
    counter.set(step, 0);
    player.write(clock, counter.clock);
    for (const { optimizer, inputs: own, rates } of steps) {
      own.set(step, optimizer.learningRate * rate);
      player.write(rates, own.rates);
    }
    player.play(program);
    step++;
    const read = outputs.map(
      async ([name, tensor]) => [name, (await player.read(tensor)).slice()] as const,
    );
    const isTrained = learning.length > 0;
    const numberIn = async (tensor: Tensor) =>
      isTrained ? ((await player.read(tensor))[0] ?? Number.NaN) : Number.NaN;
    return {
      outputs: Object.fromEntries(await Promise.all(read)),
      loss: await numberIn(history),
      norm: await numberIn(norms),
    };
  };
}

function stepInputsOf({ optimizer }: Learning, seed: number): StepInputs {
  const { weightDecay, clipNorm, beta1, beta2 } = optimizer;
  return createStepInputs({ weightDecay, clipNorm, beta1, beta2, seed: keyOf(seed) });
}

interface Given {
  readonly name: string;
  readonly tensor: Tensor;
  readonly data: Words | undefined;
}

function writeInput(player: Player, { name, tensor, data }: Given): void {
  const isFloat = tensor.dtype === 'f32';
  const fits = isFloat ? data instanceof Float32Array : data instanceof Uint32Array;
  if (data && fits && data.length === wordCount(tensor)) {
    player.write(tensor, data);
    return;
  }
  const found =
    data === undefined ? 'is missing' : `is a ${data.constructor.name} of ${data.length}`;
  throw new EngineError(
    'shape-mismatch',
    `the input ${name} ${found}: expected a ${isFloat ? 'Float32Array' : 'Uint32Array'} of ` +
      `${wordCount(tensor)} for ${describe(tensor)}`,
  );
}
