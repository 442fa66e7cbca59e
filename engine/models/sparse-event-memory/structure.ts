import { EngineError } from '../../errors.ts';
import { fanInOf, SYNAPSE_BLOCK, type SynapseShape } from '../../kernels/synapses.ts';

/** What makes one sparse_event_memory model differ from another in shape or dynamics. */
export interface SparseStructure {
  readonly vocabulary: number;
  /** d_model. */
  readonly width: number;
  readonly blocks: number;
  /** Share of the neurons that a neuron hears. */
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
}

/** Where nothing else is said (spec: SparseEventMemoryLM, and the integer LIF). */
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

/** What is beyond these is a slip of the finger: tracing it would take for ever. */
const LARGEST = {
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
  checkCounts({
    vocabulary,
    d_model: width,
    blocks,
    codebook_rank: rank,
    experts,
    top_k: topK,
    adapter_rank: adapterRank,
    router_memory,
    theta,
  });
  if (!(Number.isInteger(leak) && leak >= 0 && leak <= 256)) {
    refuse(`leak is ${leak}: expected a whole number from 0 to 256`);
  }
  if (topK > experts) refuse(`top_k is ${topK}: expected at most the ${experts} experts`);
  if (!(density > 0 && density <= 1)) {
    refuse(`density is ${density}: expected a number above 0, up to 1`);
  }
  if (!(Number.isSafeInteger(fixedSeed) && fixedSeed >= 0)) {
    refuse(`fixed_seed is ${fixedSeed}: expected a whole number of at least 0`);
  }
}

function checkCounts(counts: Readonly<Record<keyof typeof LARGEST, number>>): void {
  for (const [name, value] of Object.entries(counts)) {
    const most = LARGEST[name as keyof typeof LARGEST];
    if (Number.isInteger(value) && value >= 1 && value <= most) continue;
    refuse(`${name} is ${value}: expected a whole number from 1 to ${most}`);
  }
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `sparse_event_memory: ${message}`);
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

/** What a sum of links to the input is multiplied by, so that currents have unit variance at first. */
export function inputScale(structure: SparseStructure): number {
  return 1 / (STREAM_DEVIATION * sumDeviation(synapseShape(structure)));
}

/** The same for recurrent links, as the whole number that makes integer currents. */
export function recurrentGain(structure: SparseStructure): number {
  const scale = RECURRENT_DEVIATION / sumDeviation(synapseShape(structure));
  return Math.max(1, Math.round(structure.theta * scale));
}

export interface SynapseUse {
  /** Links of all blocks and experts, to the input and recurrent. */
  readonly links: number;
  /** Bytes as stored in CSR: 8 a row pointer and column index, 1 a weight. */
  readonly storedBytes: number;
  /** Bytes on the device: weights, and an offset and a stride for 16 neurons. */
  readonly deviceBytes: number;
}

/** What the synapses take: `2 L M (8 (D + 1) + 9 D F)` bytes of `2 L M D F` links. */
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
