import { CAPTION_MARK, evenOut } from '../../data/captions/caption-batches.ts';
import type { CaptionedSet } from '../../data/captions/captions.ts';
import { refuse } from '../../data/captions/caption-files.ts';
import type { Tokenizer } from '../../data/tokenizers/tokenizer.ts';
import type { Codebooks } from './codebooks.ts';
import { codesOf } from './coding.ts';
import {
  type PackedStream,
  packStream,
  type StreamedStructure,
  streamTokens,
} from './structure.ts';

/** Some streams as the programs read them, each padded to the longest that there can be. */
export interface StreamBatch {
  /** `[batch][sequence]`: the tokens but the last of each, and those but the first. */
  readonly ids: Uint32Array;
  readonly modalities: Uint32Array;
  readonly targets: Uint32Array;
  /** `[batch][sequence]`: 1, and 0 behind the end of a stream. */
  readonly mask: Uint32Array;
  /** The same as numbers; to learn from, of mean 1. */
  readonly weights: Float32Array;
  /** `[batch][sequence]`: the class of the stream. */
  readonly classes: Uint32Array;
}

/** One pair as a stream. */
export interface LabelledStream extends PackedStream {
  readonly label: number;
}

export interface StreamSource {
  readonly set: CaptionedSet;
  readonly tokenizer: Tokenizer;
  readonly codebooks: Codebooks;
  readonly labels: readonly string[];
}

/**
 * Every pair as one stream: the mark, the caption, the mark that ends it, the codes of the image row by row
 * and those of the sound. Throws EngineError `unknown-character` for a caption that the tokenizer cannot
 * write, `captions-invalid` for a group that is none of the labels.
 */
export function streamsOf(
  { set, tokenizer, codebooks, labels }: StreamSource,
  structure: StreamedStructure,
): LabelledStream[] {
  const streams: LabelledStream[] = [];
  for (const coded of codesOf(set, structure, codebooks)) {
    const pair = streams.length;
    const text = tokenizer.encode(`${set.captions[pair]}${CAPTION_MARK}`);
    const [mark = 0] = tokenizer.encode(CAPTION_MARK);
    const parts = [
      { modality: 'text', codes: [mark, ...text.subarray(0, structure.caption)] } as const,
      ...coded,
    ];
    const tokens = parts.flatMap(({ modality, codes }) =>
      Array.from(codes, (id) => ({ modality, id })),
    );
    const label = labelOf(set.groups?.[pair], labels);
    streams.push({ ...packStream(structure, tokens), label });
  }
  return streams;
}

/** All groups of a data set in alphabetical order; none where a line says none. */
export function labelsOf({ groups = [] }: CaptionedSet): string[] {
  return [...new Set(groups)].toSorted();
}

function labelOf(group: string | undefined, labels: readonly string[]): number {
  if (labels.length === 0) return 0;
  const label = labels.indexOf(group ?? '');
  if (label >= 0) return label;
  return refuse(`the group is ${group}: expected one of ${labels.join(', ')}`);
}

/** Turns streams into batches, in arrays that the next batch overwrites. */
export interface StreamGatherer {
  /** Rows left over count nothing. */
  gather(places: readonly number[]): StreamBatch;
  /** To learn from. */
  vary(places: readonly number[]): StreamBatch;
}

export function createStreamGatherer(
  streams: readonly LabelledStream[],
  structure: StreamedStructure,
  rows: number,
): StreamGatherer {
  const sequence = streamTokens(structure);
  const words = () => new Uint32Array(rows * sequence);
  const batch: StreamBatch = {
    ids: words(),
    modalities: words(),
    targets: words(),
    mask: words(),
    weights: new Float32Array(rows * sequence),
    classes: words(),
  };
  const gather = (places: readonly number[]) => {
    for (const part of Object.values(batch)) part.fill(0);
    for (const [row, place] of places.entries()) {
      const stream = streams[place];
      if (stream) placeStream(batch, stream, { row, sequence });
    }
    return batch;
  };
  return {
    gather,
    vary(places) {
      gather(places);
      evenOut(batch.weights);
      return batch;
    },
  };
}

function placeStream(
  batch: StreamBatch,
  { ids, modalities, label }: LabelledStream,
  { row, sequence }: { readonly row: number; readonly sequence: number },
): void {
  const first = row * sequence;
  const end = first + ids.length - 1;
  batch.ids.set(ids.subarray(0, -1), first);
  batch.modalities.set(modalities.subarray(0, -1), first);
  batch.targets.set(ids.subarray(1), first);
  batch.mask.fill(1, first, end);
  batch.weights.fill(1, first, end);
  batch.classes.fill(label, first, first + sequence);
}
