import { structureChecks } from '../structure-checks.ts';
import type { BufferSpec } from '../../checkpoint/parameters-file.ts';
import type { Initial, ParameterSpec } from '../../graph/parameters.ts';
import { blocksOf, fanInOf, SYNAPSE_BLOCK, type SynapseShape } from '../../kernels/synapses.ts';
import { byteWords } from '../../graph/tensor.ts';
import { type FieldsOf, readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import { type backboneFields, sparseFields } from './description.ts';

/** Shape and dynamics of a sparse_event_memory model. */
export interface SparseStructure {
  readonly vocabulary: number;
  /** d_model. */
  readonly width: number;
  readonly blocks: number;
  /** Fraction of the neurons that a neuron reads. */
  readonly density: number;
  /** Features of a code of the vocabulary. */
  readonly rank: number;
  readonly experts: number;
  /** Experts that read a token. */
  readonly topK: number;
  readonly adapterRank: number;
  /** Tokens that the running mean of the router is over at most. */
  readonly routerMemory: number;
  /** 256ths of the membrane kept per token. */
  readonly leak: number;
  /** The integer current of 1, and the threshold. */
  readonly theta: number;
  /** Seed of codes, links and first weights: the part that no gradient reaches. */
  readonly fixedSeed: number;
  /** Tokens of the longest n-grams whose log-probabilities are added to the logits; none where left out or 0. */
  readonly ngramOrder?: number;
}

/** By default (spec: SparseEventMemoryLM, and the integer LIF). */
export const sparseDefaults = {
  density: 0.005,
  rank: 128,
  experts: 2,
  topK: 1,
  adapterRank: 16,
  routerMemory: 256,
  leak: 32,
  theta: 1024,
  fixedSeed: 1,
} as const;

const checks = structureChecks('sparse_event_memory');

/** Limits of a structure: tracing a larger one would not end in reasonable time. */
const LIMITS = {
  vocabulary: 0x110000,
  d_model: 1 << 14,
  blocks: 1 << 8,
  codebook_rank: 1 << 12,
  experts: 64,
  top_k: 64,
  adapter_rank: 1 << 12,
  router_memory: 1 << 20,
  theta: 0x7fff,
} as const;

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkSparseStructure(structure: SparseStructure): void {
  const { vocabulary, width, blocks, density, rank, experts, topK, adapterRank } = structure;
  const { routerMemory: router_memory, leak, theta, fixedSeed } = structure;
  checks.counts(
    {
      vocabulary,
      d_model: width,
      blocks,
      codebook_rank: rank,
      experts,
      top_k: topK,
      adapter_rank: adapterRank,
      router_memory,
      theta,
    },
    LIMITS,
  );
  if (!(Number.isInteger(leak) && leak >= 0 && leak <= 256)) {
    checks.refuse(`leak is ${leak}: expected a whole number from 0 to 256`);
  }
  if (topK > experts) checks.refuse(`top_k is ${topK}: expected at most the ${experts} experts`);
  if (!(density > 0 && density <= 1)) {
    checks.refuse(`density is ${density}: expected a number above 0, up to 1`);
  }
  if (!(Number.isSafeInteger(fixedSeed) && fixedSeed >= 0)) {
    checks.refuse(`fixed_seed is ${fixedSeed}: expected a whole number of at least 0`);
  }
}

/** The synapses of one kind in one block. */
export function synapseShape({ width, density, experts }: SparseStructure): SynapseShape {
  return { width, experts, fanIn: fanInOf(width, density) };
}

/**
 * Deviation of the features between blocks at first: small beside a spike, or a stream would hide what
 * neurons say.
 */
export const STREAM_DEVIATION = 0.3;
/** Deviation of the currents of recurrent links if every neuron fired. */
const RECURRENT_DEVIATION = 4;

/** Deviation of a sum of links with inputs of unit variance: weights are uniform in +-127. */
function sumDeviation({ fanIn }: SynapseShape): number {
  return 127 * Math.sqrt(fanIn / 3);
}

/** Scale of a sum of links to the input, for currents of unit variance at first. */
export function inputScale(structure: SparseStructure): number {
  return 1 / (STREAM_DEVIATION * sumDeviation(synapseShape(structure)));
}

/** The same for recurrent links, as the whole number that makes integer currents. */
export function recurrentGain(structure: SparseStructure): number {
  const scale = RECURRENT_DEVIATION / sumDeviation(synapseShape(structure));
  return Math.max(1, Math.round(structure.theta * scale));
}

interface SynapseUse {
  /** Links of all blocks and experts, to the input and recurrent. */
  readonly links: number;
  /** Bytes as stored in CSR: 8 a row pointer and column index, 1 a weight. */
  readonly storedBytes: number;
  /** Bytes on the device: weights, and an offset and a stride for 16 neurons. */
  readonly deviceBytes: number;
}

/** Memory of the synapses: `2 L M (8 (D + 1) + 9 D F)` bytes of `2 L M D F` links. */
export function synapseUse(structure: SparseStructure): SynapseUse {
  const { width, experts, fanIn } = synapseShape(structure);
  const matrices = 2 * structure.blocks * experts;
  const groups = Math.ceil(width / SYNAPSE_BLOCK);
  return {
    links: matrices * width * fanIn,
    storedBytes: matrices * (8 * (width + 1) + 9 * width * fanIn),
    deviceBytes: matrices * groups * (SYNAPSE_BLOCK * fanIn + 8),
  };
}

/** Fraction of a unit current that adapters start with. */
const ADAPTER_DEVIATION = 0.5;
const BESIDE_TABLES = 0.1;

/**
 * The trained parameters of the family in a fixed order: R D + blocks (M D + 2 M r D + 2 D) numbers. Synapses
 * and codes are no parameters: no gradient reaches them.
 */
export function sparseParameters(structure: SparseStructure): ParameterSpec[] {
  const { width, rank, blocks } = structure;
  return [
    matrix('basis.weight', [rank, width], STREAM_DEVIATION * rank ** -0.5),
    ...Array.from({ length: blocks }, (_, block) => blockParameters(block, structure)).flat(),
  ];
}

function blockParameters(block: number, structure: SparseStructure): ParameterSpec[] {
  const { width, experts, adapterRank, blocks, rank, ngramOrder = 0 } = structure;
  const name = (part: string) => `blocks.${block}.${part}`;
  const fromStream = width ** -0.5 / STREAM_DEVIATION;
  // In the tied readout a token would start with a score of itself of D, not of 1; beside tables, of next to nothing.
  const score = ngramOrder > 0 ? BESIDE_TABLES : 1;
  const last = (score * Math.sqrt(rank)) / (STREAM_DEVIATION * width);
  const gain = block === blocks - 1 ? last : STREAM_DEVIATION;
  return [
    matrix(name('router.weight'), [width, experts], fromStream),
    matrix(name('down.weight'), [width, experts * adapterRank], fromStream),
    matrix(
      name('up.weight'),
      [experts * adapterRank, width],
      ADAPTER_DEVIATION * adapterRank ** -0.5,
    ),
    vector(name('norm.weight'), [width], gain),
    vector(name('norm.bias'), [width], 0),
  ];
}

function matrix(name: string, shape: readonly number[], deviation: number): ParameterSpec {
  const initial: Initial = { kind: 'normal', deviation };
  return { name, shape, initial, decayed: true };
}

function vector(name: string, shape: readonly number[], value: number): ParameterSpec {
  const initial: Initial = { kind: 'constant', value };
  return { name, shape, initial, decayed: false };
}

/** How the model learns, beside the optimiser. */
export interface SparseLearning {
  /** Fraction of the spikes that are dropped. */
  readonly dropout: number;
  /** Weight of the load-balance term. */
  readonly balance: number;
  /** Tokens drawn to stand for the vocabulary; all of it is scored where it has no more. */
  readonly negatives: number;
  /** Learning rate of the synapses. */
  readonly hebbianRate: number;
}

/** The settings of a run, parsed. */
export interface SparseSettings {
  readonly structure: SparseStructure;
  readonly learning: SparseLearning;
  readonly shape: { readonly batch: number; readonly sequence: number };
}

/** Throws EngineError `invalid-setting` or `invalid-structure` naming the value and what was expected. */
export function sparseSettings(settings: RunSettings, vocabulary: number): SparseSettings {
  checkRun(settings);
  const fields = readFields(settings.architecture, sparseFields, settings.fields);
  const { ngram_order: ngramOrder } = fields;
  const tables = ngramOrder > 0 && { ngramOrder };
  const structure = { ...backboneStructure(fields), vocabulary, ...tables };
  checkSparseStructure(structure);
  return {
    structure,
    learning: backboneLearning(fields),
    shape: { batch: settings.batch, sequence: fields.seq_len },
  };
}

/** The fields of a backbone, in whatever family it is. */
type BackboneFields = FieldsOf<typeof backboneFields> & {
  readonly d_model: number;
  readonly num_blocks: number;
};

export function backboneLearning(fields: BackboneFields): SparseLearning {
  const { hebbian_rate: hebbianRate, load_balance: balance, negatives, dropout } = fields;
  return { hebbianRate, balance, negatives, dropout };
}

export function backboneStructure(fields: BackboneFields): Omit<SparseStructure, 'vocabulary'> {
  const { routerMemory, leak, theta } = sparseDefaults;
  return {
    width: fields.d_model,
    blocks: fields.num_blocks,
    density: fields.density,
    rank: fields.codebook_rank,
    experts: fields.experts,
    topK: fields.top_k,
    adapterRank: fields.adapter_rank,
    routerMemory,
    leak,
    theta,
    fixedSeed: fields.fixed_seed,
  };
}

/**
 * Codes and synapses as they lie in model.safetensors, in signed bytes. Codes are padded to words. Synapses are
 * `[experts, groups of 16 neurons, links, 16]`; where each comes from follows from `fixed_seed`.
 */
export function sparseBuffers(structure: SparseStructure): BufferSpec[] {
  const shape = synapseShape(structure);
  const synapses = [shape.experts, blocksOf(shape), shape.fanIn, SYNAPSE_BLOCK];
  const blocks = Array.from({ length: structure.blocks }, (_, block) => [
    { name: `blocks.${block}.input.synapses`, dtype: 'I8', shape: synapses } as const,
    { name: `blocks.${block}.recurrent.synapses`, dtype: 'I8', shape: synapses } as const,
  ]);
  const codes = [structure.vocabulary, 4 * byteWords(structure.rank)];
  return [{ name: 'codebook', dtype: 'I8', shape: codes }, ...blocks.flat()];
}
