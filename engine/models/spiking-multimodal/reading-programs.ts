import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { embedding } from '../../ops/embedding.ts';
import { keep } from '../../ops/keep.ts';
import { chronospikeBlocks, chronospikeReadout } from '../dense-chronospike/forward.ts';
import {
  type CarriedState,
  createCarriedState,
  recurrentMixing,
} from '../dense-chronospike/mixing.ts';
import { prefixTokenStream, textTokenStream } from './forward.ts';
import { type MultimodalStructure, type Prefix, prefixesOf } from './structure.ts';

/** Reads one patch or frame for each row into the state of its slot. */
export interface PrefixReading {
  readonly prefix: Prefix;
  readonly program: Program;
  /** `[1, rows, features]` */
  readonly input: Tensor;
  /** `u32[rows]`: which token of the prefix each is. */
  readonly positions: Tensor;
  /** `u32[rows]`: whose state each row goes on from, see `slotWord`. */
  readonly slots: Tensor;
}

/** Reads one token of a caption for each row and predicts the next. */
export interface TextReading {
  readonly program: Program;
  /** `u32[rows]` */
  readonly ids: Tensor;
  readonly slots: Tensor;
  /** `[1, rows, vocabulary]` */
  readonly logits: Tensor;
}

/** The recurrent form of a model: each token costs the same, of the prefix and of the caption. */
export interface CaptionReading {
  readonly prefixes: readonly PrefixReading[];
  readonly text: TextReading;
  readonly programs: readonly Program[];
}

/** Programs for `rows` sequences at once that go on from the same state, which they carry on the device. */
export function traceCaptionReading(
  layout: ParameterLayout,
  structure: MultimodalStructure,
  rows: number,
): CaptionReading {
  const state = createCarriedState(rows);
  const prefixes = prefixesOf(structure).map((prefix) =>
    tracePrefix({ layout, structure, state, rows }, prefix),
  );
  const text = traceText({ layout, structure, state, rows });
  const programs = [...prefixes, text].map(({ program }) => program);
  return { prefixes, text, programs };
}

interface Traced {
  readonly layout: ParameterLayout;
  readonly structure: MultimodalStructure;
  readonly state: CarriedState;
  readonly rows: number;
}

function tracePrefix({ layout, structure, state, rows }: Traced, prefix: Prefix): PrefixReading {
  const { trunk } = structure;
  const graph = new Graph(`read ${prefix.modality}`, layout);
  const input = graph.local('input', 'f32', [1, rows, prefix.features]);
  const positions = graph.local('positions', 'u32', [rows]);
  const slots = graph.local('slots', 'u32', [rows]);
  const mixing = recurrentMixing(graph, trunk, { state, slots });
  const stream = prefixTokenStream(graph, structure, { prefix, input, positions });
  chronospikeBlocks({ graph, structure: trunk, mixing }, stream);
  return { prefix, program: graph.build(), input, positions, slots };
}

function traceText({ layout, structure, state, rows }: Traced): TextReading {
  const { trunk } = structure;
  const graph = new Graph('read text', layout);
  const ids = graph.local('ids', 'u32', [rows]);
  const slots = graph.local('slots', 'u32', [rows]);
  const mixing = recurrentMixing(graph, trunk, { state, slots });
  const direct = embedding(graph, ids, graph.parameter('embed.weight'));
  const tokens = textTokenStream(graph, structure, direct);
  const stream = chronospikeBlocks({ graph, structure: trunk, mixing }, tokens);
  const logits = keep(graph, 'kept logits', chronospikeReadout(graph, direct, stream));
  return { program: graph.build(), ids, slots, logits };
}
