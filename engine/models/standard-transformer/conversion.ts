import type { Backend, Player } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { Corpus } from '../../data/corpus/corpus.ts';
import { splitCorpus } from '../../data/corpus/corpus.ts';
import { type Batch, spreadWindows } from '../../data/corpus/windows.ts';
import type { Graph } from '../../graph/graph.ts';
import { wordCount } from '../../graph/tensor.ts';
import { expectWhole } from '../../ops/shapes.ts';
import { packClock } from '../../ops/step-inputs.ts';
import { energyOf, type EnergyUse } from '../../evaluation/spike-use.ts';
import { calibrate } from './calibration.ts';
import type { Product } from './forward.ts';
import type { NgramModel } from '../../ngrams/kneser-ney.ts';
import { ngramModelOf } from '../../ngrams/stored.ts';
import { createNgramPriors } from '../language/ngram-prior.ts';
import type { LossProgram } from '../language/text-programs.ts';
import { traceTransformerEvaluation } from './programs.ts';
import { transformerFromSpec, type TransformerSpec } from './family.ts';
import { type Ranges, type RateLayer, spikingProducts } from './spiking-products.ts';
import type { FrozenTransformer } from './distillation.ts';

interface ConversionOptions {
  /** Numbers of time steps to try. */
  readonly timeSteps: readonly number[];
  /** Windows of text that the ranges are chosen on, and as many others that the loss is measured on. */
  readonly windows?: number;
  /** Called with each result as it comes. */
  readonly onResult?: (result: SpikingLoss) => void;
  readonly signal?: AbortSignal;
}

/** A converted model at one number of time steps. */
export interface SpikingLoss {
  readonly timeSteps: number;
  /** Nats a token. */
  readonly loss: number;
  /** Nats a token more than the float model on the same text. */
  readonly lost: number;
  /** Spikes per neuron and time step. */
  readonly rate: number;
  /** Additions that spikes cause, and products they stand for, a token. */
  readonly synapticOps: number;
  readonly denseMacs: number;
  /** Of these a token; what stays in numbers (norms, softmax, GELU, attention) is in neither. */
  readonly energy: EnergyUse;
}

export interface Conversion {
  /** Tokens that the losses are measured on. */
  readonly tokens: number;
  /** Nats a token of the model as it is. */
  readonly loss: number;
  readonly results: readonly SpikingLoss[];
}

const WINDOWS = 64;
/** Windows that are worked on at once, times time steps: what bounds the memory. */
const MAX_AT_ONCE = 64;

type ConvertedModel = Pick<StoredModel<TransformerSpec>, 'spec' | 'layout' | 'values' | 'buffers'>;

/** A model and its n-gram tables, which stay as they are. */
interface MeasuredModel extends FrozenTransformer {
  readonly tables: NgramModel | undefined;
}

/**
 * Converts a trained float transformer to spikes without training it, and tells what that costs: the inputs
 * of all products (Wqkv, Wo, Wup, Wdown, readout) become rates of spikes over T steps, with ranges chosen
 * on text it learned from; the loss is measured on text it did not. Throws EngineError `text-too-short`,
 * `invalid-setting` for time steps that cannot be, `unknown-character` by way of the corpus.
 */
export async function convertTransformer(
  backend: Backend,
  { spec, layout, values, buffers }: ConvertedModel,
  corpus: Corpus,
  { timeSteps, windows = WINDOWS, onResult, signal }: ConversionOptions,
): Promise<Conversion> {
  expectWhole('convert', 'windows', windows, 1);
  for (const steps of timeSteps) expectWhole('convert', 'time_steps', steps, 1);
  const structure = transformerFromSpec(spec);
  const model = { structure, layout, values, tables: ngramModelOf({ spec, buffers }) };
  const { train, validation } = splitCorpus(corpus, structure.sequence);
  const single = { batch: 1, sequence: structure.sequence };
  const known = await spreadWindows(corpus, train, single, windows);
  const text = await spreadWindows(corpus, validation, single, windows);
  const ranges = await calibrate(backend, model, known, timeSteps);
  const { loss } = await measure(backend, model, text, undefined);
  const results: SpikingLoss[] = [];
  for (const steps of timeSteps) {
    signal?.throwIfAborted();
    const spiking = { steps, ranges: ranges.get(steps) ?? new Map() };
    const result = resultOf(await measure(backend, model, text, spiking), steps, loss);
    results.push(result);
    onResult?.(result);
  }
  return { tokens: text.length * structure.sequence, loss, results };
}

interface Spiking {
  readonly steps: number;
  readonly ranges: Ranges;
}

interface Measured {
  readonly loss: number;
  readonly tokens: number;
  /** By layer of neurons; none in numbers. */
  readonly layers: readonly (RateLayer & { readonly neurons: number; readonly spikes: number })[];
}

/** The loss on some windows, in numbers where `spiking` is left out. */
async function measure(
  backend: Backend,
  model: MeasuredModel,
  windows: readonly Batch[],
  spiking: Spiking | undefined,
): Promise<Measured> {
  const { structure, layout, values, tables } = model;
  const batch = largestDivisor(windows.length, MAX_AT_ONCE / (spiking?.steps ?? 1));
  const layers: RateLayer[] = [];
  const multiplyFor = (graph: Graph): Product | undefined =>
    spiking && spikingProducts(graph, { layout, values, ...spiking }, layers);
  const evaluate = traceTransformerEvaluation(layout, structure, batch, multiplyFor);
  const player = await backend.load(layout, [evaluate.program]);
  player.write(layout.values, values);
  const { sequence } = structure;
  const priors = tables && createNgramPriors(tables, { batch, sequence });
  let sum = 0;
  for (let first = 0; first < windows.length; first += batch) {
    const asked = joinedBatch(windows.slice(first, first + batch));
    if (evaluate.prior && priors) player.write(evaluate.prior, priors.of(asked));
    sum += await lossOn(player, evaluate, asked);
  }
  const measured = [];
  for (const layer of layers) {
    // Counters are always u32.
    const counts = (await player.read(layer.counts)) as Uint32Array;
    const spikes = counts.reduce((total, count) => total + count, 0);
    measured.push({ ...layer, neurons: wordCount(layer.counts), spikes });
  }
  player.close();
  const tokens = windows.length * structure.sequence;
  return { loss: (sum * batch) / windows.length, tokens, layers: measured };
}

const joinedBatch = (windows: readonly Batch[]): Batch => ({
  ids: joined(windows.map((window) => window.ids)),
  targets: joined(windows.map((window) => window.targets)),
});

async function lossOn(
  player: Player,
  { program, ids, targets, clock, losses }: LossProgram,
  asked: Batch,
): Promise<number> {
  player.write(ids, asked.ids);
  player.write(targets, asked.targets);
  player.write(clock, packClock({ step: 0, slot: 0, seed: [0, 0] }));
  player.play(program);
  const [loss = Number.NaN] = await player.read(losses);
  return loss;
}

function resultOf(
  { loss, tokens, layers }: Measured,
  timeSteps: number,
  float: number,
): SpikingLoss {
  const total = (of: (layer: Measured['layers'][number]) => number) =>
    layers.reduce((sum, layer) => sum + of(layer), 0);
  const neurons = total((layer) => layer.neurons);
  const synapticOps = total(({ spikes, fanOut }) => spikes * fanOut) / tokens;
  // Two neurons stand for each number that a product takes.
  const denseMacs = total((layer) => (layer.neurons / 2) * layer.fanOut);
  const updates = neurons * timeSteps;
  return {
    timeSteps,
    loss,
    lost: loss - float,
    rate: total(({ spikes }) => spikes) / (neurons * timeSteps * tokens),
    synapticOps,
    denseMacs,
    energy: energyOf({ synapticOps, updates, products: 0, denseMacs }),
  };
}

/** The largest divisor of `count` that is at most `limit`; 1 where none is. */
function largestDivisor(count: number, limit: number): number {
  let divisor = Math.max(1, Math.min(count, Math.floor(limit)));
  while (count % divisor !== 0) divisor--;
  return divisor;
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  return Uint32Array.from(parts.flatMap((part) => [...part]));
}
