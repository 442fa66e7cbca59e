import { byteWords } from '../../graph/tensor.ts';
import { beside, packed, type Part, part, raw, repeated, sum, words } from '../../graph/sizes.ts';
import { fanOutShape, topologyShape, weightShape } from '../../kernels/synapses.ts';
import { scanStateShape } from '../../ops/event-scan.ts';
import { type SparseStructure, synapseShape } from './structure.ts';

/** A backbone that reads a batch. */
export interface BackbonePass {
  readonly structure: SparseStructure;
  readonly batch: number;
  readonly sequence: number;
  /** Some spikes are dropped. */
  readonly drops: boolean;
}

/** The tensors of a block. */
function tensorsOf({ structure, batch, sequence }: BackbonePass) {
  const { width, experts, topK, adapterRank } = structure;
  const rows = batch * sequence;
  return {
    stream: words(rows, width),
    scores: words(rows, experts),
    means: words(rows, experts + 1),
    /** Who reads a token, and with which gate. */
    choice: words(topK, rows),
    low: experts > 1 ? words(rows, experts * adapterRank) : 0,
    own: words(topK, rows, experts * adapterRank),
    events: words(topK, rows, width),
    spikes: packed(topK * rows, width),
    statistics: words(rows, 2),
    routeState: words(batch, experts + 1),
    scanState: words(...scanStateShape(batch, synapseShape(structure))),
  };
}

/** All blocks on the way there and back. What synapses learn from stays until the end. */
export function backboneSizes(pass: BackbonePass): Part {
  const { blocks } = pass.structure;
  return beside(expertMeansSize(pass.structure), repeated(blocks, blockPart(pass)));
}

/** The means that are kept of all blocks once the features are there. */
export function expertMeansSize({ blocks, experts, width }: SparseStructure): number {
  return blocks * words(experts, 3, width);
}

function blockPart(pass: BackbonePass): Part {
  const t = tensorsOf(pass);
  const routed = t.stream + t.means + 2 * t.choice;
  const fired = routed + t.own + t.events + (pass.drops ? 2 : 1) * t.spikes;
  const kept = fired + t.stream + t.statistics;
  const driven = routed + t.own + 2 * t.events;
  // On the backward pass there are the gradients of stream and gates.
  const given = t.stream + t.means + t.choice + t.stream + t.choice;
  return part(kept, {
    there: [
      routed + t.scores + t.routeState,
      routed + t.low + t.own,
      driven + t.spikes + t.scanState,
      kept + t.stream,
    ],
    back: [
      kept + 2 * t.stream,
      kept - t.statistics + t.events + t.choice,
      given + t.events + t.own,
      given + t.own + t.low,
      given + t.scores + words(pass.structure.experts),
    ],
  });
}

/** The most that a block takes where nothing is learned. */
export function readingBlockSize(pass: BackbonePass): number {
  const t = tensorsOf(pass);
  const chosen = t.stream + 2 * t.choice;
  return Math.max(
    chosen + t.means + t.scores + t.routeState,
    chosen + t.low + t.own,
    chosen + t.own + t.events,
    chosen + 2 * t.events + t.spikes + t.scanState,
  );
}

/** Persistent memory of a training program, or of one that counts spikes. */
export function backboneLasts({ structure, batch, drops }: BackbonePass, learns: boolean): number {
  const { blocks, width } = structure;
  const shape = synapseShape(structure);
  const fanOut = learns ? 2 * words(...fanOutShape(shape)) : words(width);
  const share = learns && drops ? words(width) : 0;
  return words(batch) + blocks * (2 * words(...topologyShape(shape)) + fanOut + share);
}

/** Codes and synapses, which all programs share. */
export function fixedPartSize(structure: SparseStructure): number {
  const { vocabulary, rank, blocks } = structure;
  const weights = 2 * raw(...weightShape(synapseShape(structure)));
  return sum([raw(vocabulary, byteWords(rank)), blocks * weights]);
}

/** Constants of a program that reads one token, and what it carries. */
export function tokenLasts(structure: SparseStructure): number {
  const { blocks, experts } = structure;
  const shape = synapseShape(structure);
  const state = raw(1, experts + 1) + raw(...scanStateShape(1, shape));
  return words(1) + blocks * (2 * words(...topologyShape(shape)) + state + raw(1));
}

/** Tokens by their codes, or by a table of all where that is less work. */
export function embeddingPart({ structure, batch, sequence }: BackbonePass): Part {
  const { vocabulary, rank, width } = structure;
  const rows = batch * sequence;
  const stream = words(rows, width);
  const codes = words(Math.min(rows, vocabulary), rank);
  if (vocabulary >= rows) return part(codes, { there: [codes + stream] });
  const all = codes + words(vocabulary, width) + stream;
  return part(codes, {
    there: [all],
    back: [expertMeansSize(structure) + all + words(rows)],
  });
}
