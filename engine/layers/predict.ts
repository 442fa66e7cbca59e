import type { Backend, Player } from '../graph/backend.ts';
import { Graph } from '../graph/graph.ts';
import type { Program } from '../graph/program.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import type { LossOutputs } from '../losses/loss.ts';
import { type OutputKind, outputOf } from '../losses/outputs.ts';
import { argmax } from '../numbers.ts';
import { keep } from '../ops/keep.ts';
import { clockInput } from '../ops/step-inputs.ts';
import {
  type CheckedInputs,
  checkInputs,
  type InputForm,
  type Inputs,
  writeInputs,
} from './example-inputs.ts';
import { featuresOf, type Pass } from './layer.ts';
import { type Network, outputsOf } from './network.ts';

/** Examples that are read at once. */
const BATCH = 128;

/** Scores and classes of N examples. */
export interface Prediction {
  /** `[N, outputs]` */
  readonly scores: Float32Array;
  /** `[N]`: the output whose score is largest, the first of equals. */
  readonly classes: Uint32Array;
}

/** A network and the numbers that it has. */
export interface Target {
  readonly network: Network;
  readonly backend: Backend;
  readonly values: Float32Array;
}

/** The input of a program, `[frames, rows, features]`. */
export function inputTensor(
  graph: Graph,
  { input }: Network,
  { frames, dtype }: InputForm,
  rows: number,
): Tensor {
  return graph.local('inputs', dtype, [frames, rows, featuresOf(input)]);
}

/** A batch for the input of a program, which `writeInputs` fills. */
export function emptyInputs(input: Tensor): Float32Array | Uint32Array {
  const words = wordCount(input);
  return input.dtype === 'bits' ? new Uint32Array(words) : new Float32Array(words);
}

/** A network without learning, recorded for a batch. */
export function startPass(graph: Graph, watch?: Pass['watch']): Pass {
  return { graph, isTraining: false, clock: clockInput(graph), ...(watch && { watch }) };
}

/** The scores of a network: counts of spikes, or means of numbers, where nothing else is asked for. */
export function readScores(graph: Graph, outputs: LossOutputs, on: OutputKind | undefined): Tensor {
  const kind = on ?? (outputs.spikes ? 'counts' : 'values');
  return outputOf(graph, outputs, { on: kind, loss: 'scores' });
}

/** The same, kept after the play. */
export function scoresOf(graph: Graph, outputs: LossOutputs, on: OutputKind | undefined): Tensor {
  return keep(graph, 'scores', readScores(graph, outputs, on));
}

interface Scoring {
  readonly program: Program;
  readonly rows: number;
  readonly input: Tensor;
  readonly scores: Tensor;
}

function traceScoring(network: Network, form: InputForm, rows: number, on?: OutputKind): Scoring {
  const graph = new Graph(`predict ${rows}`, network.layout);
  const input = inputTensor(graph, network, form, rows);
  const outputs = outputsOf(network, startPass(graph), input);
  const scores = scoresOf(graph, outputs, on);
  return { program: graph.build(), rows, input, scores };
}

interface Loaded extends Scoring {
  readonly player: Player;
}

/** Loaded programs of a model, by what they take: a page predicts one drawing after another. */
const loaded = new WeakMap<Target, Map<string, Loaded>>();
const MAX_LOADED = 4;

/** Scores of examples. Throws EngineError as `checkInputs`. */
export async function predictWith(
  target: Target,
  x: Inputs,
  { count, on }: { readonly count?: number; readonly on?: OutputKind },
): Promise<Prediction> {
  const inputs = checkInputs(x, target.network, count);
  const { player, program, rows, input, scores: kept } = await loadScoring(target, inputs, on);
  player.write(target.network.layout.values, target.values);
  const outputs = featuresOf(target.network.output);
  const scores = new Float32Array(inputs.count * outputs);
  const batch = emptyInputs(input);
  for (let first = 0; first < inputs.count; first += rows) {
    // Rows behind the last example hold those of the batch before, and nobody reads what they give.
    const filled = Math.min(rows, inputs.count - first);
    for (let row = 0; row < filled; row++) {
      writeInputs(inputs, first + row, { inputs: batch, rows, row });
    }
    player.write(input, batch);
    player.play(program);
    const read = (await player.read(kept)) as Float32Array;
    scores.set(read.subarray(0, filled * outputs), first * outputs);
  }
  const classes = Uint32Array.from({ length: inputs.count }, (_, example) =>
    argmax(scores.subarray(example * outputs, (example + 1) * outputs)),
  );
  return { scores, classes };
}

async function loadScoring(
  target: Target,
  { count, frames, dtype }: CheckedInputs,
  on: OutputKind | undefined,
): Promise<Loaded> {
  const { network, backend } = target;
  const rows = Math.min(count, BATCH);
  const known = loaded.get(target) ?? new Map<string, Loaded>();
  loaded.set(target, known);
  const key = [rows, frames, dtype, on].join(' ');
  const found = known.get(key);
  if (found) return found;
  const scoring = traceScoring(network, { frames, dtype }, rows, on);
  const player = await backend.load(network.layout, [scoring.program]);
  const [oldest] = known.keys();
  if (known.size >= MAX_LOADED && oldest !== undefined) {
    known.get(oldest)?.player.close();
    known.delete(oldest);
  }
  const made = { ...scoring, player };
  known.set(key, made);
  return made;
}

/** Closes what `predictWith` loaded. */
export function closePredictions(target: Target): void {
  for (const { player } of loaded.get(target)?.values() ?? []) player.close();
  loaded.delete(target);
}
