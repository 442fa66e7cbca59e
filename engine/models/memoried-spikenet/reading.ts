import type { Backend, Player } from '../../graph/backend.ts';
import { modelOf, type StoredModel } from '../../checkpoint/checkpoint.ts';
import { CAPTION_MARK } from '../../data/captions/caption-batches.ts';
import type { Tokenizer } from '../../data/tokenizers/tokenizer.ts';
import type { Program } from '../../graph/program.ts';
import { layOutFixedPart } from '../sparse-event-memory/fixed-part.ts';
import { loadSparse } from '../sparse-event-memory/load.ts';
import type { PrefixInputs } from '../prefix-inputs.ts';
import { type Codebooks, codebooksOf } from './codebooks.ts';
import { codesOfInputs } from './coding.ts';
import type { MemoriedModel, MemoriedReadProgram } from './programs.ts';
import { memoriedStructureFrom } from './spec.ts';
import {
  backboneOf,
  type PackedStream,
  packStream,
  type StreamedStructure,
  type StreamToken,
} from './structure.ts';

/** A stored model as those who read with it need it. */
export interface StoredStreams extends MemoriedModel {
  readonly structure: StreamedStructure;
  readonly codebooks: Codebooks;
  readonly tokenizer: Tokenizer;
  /** The token that texts begin behind and end with. */
  readonly mark: number;
  load(backend: Backend, programs: readonly Program[]): Promise<Player>;
}

/** Throws EngineError `checkpoint-mismatch` for a model of another family. */
export function storedStreamsOf(stored: StoredModel): StoredStreams {
  const own = modelOf(stored, 'memoried_spikenetlm');
  const structure = memoriedStructureFrom(own.spec);
  const backbone = backboneOf(structure);
  const fixed = layOutFixedPart(backbone);
  const { layout, tokenizer } = own;
  const [mark = 0] = tokenizer.encode(CAPTION_MARK);
  return {
    structure,
    layout,
    fixed,
    tokenizer,
    mark,
    codebooks: codebooksOf(own),
    load: (backend, programs) =>
      loadSparse(backend, own, { structure: backbone, layout, fixed }, programs),
  };
}

/** A picture and a sound as a stream: behind the mark that all streams begin with. */
export function streamOfInputs(
  { structure, codebooks, mark }: StoredStreams,
  inputs: PrefixInputs,
): PackedStream {
  const codes = codesOfInputs(structure, codebooks, inputs).flatMap((part) =>
    Array.from(part.codes, (id): StreamToken => ({ modality: part.modality, id })),
  );
  if (codes.length === 0) return packStream(structure, codes);
  return packStream(structure, [{ modality: 'text', id: mark }, ...codes]);
}

/** Text as a part of a stream: it has the first tokens of the vocabulary, and the first modality. */
export function streamOfText(ids: Uint32Array): PackedStream {
  return { ids, modalities: new Uint32Array(ids.length) };
}

/**
 * Plays a stream chunk by chunk, each going on from what the chunk before left in the memory of its slot; what
 * fills the last chunk up leaves no trace. Gives the row of the last token.
 */
export function playStream(
  player: Player,
  program: Pick<MemoriedReadProgram, 'program' | 'ids' | 'modalities' | 'mask' | 'slots'>,
  { ids, modalities }: PackedStream,
  nextWord: () => Uint32Array,
): number {
  const [size = 1] = program.ids.shape;
  const filled = (part: Uint32Array) => {
    const words = new Uint32Array(size);
    words.set(part);
    return words;
  };
  for (let first = 0; first < ids.length; first += size) {
    const [end, left] = [first + size, Math.min(size, ids.length - first)];
    player.write(program.ids, filled(ids.subarray(first, end)));
    player.write(program.modalities, filled(modalities.subarray(first, end)));
    player.write(program.mask, filled(new Uint32Array(left).fill(1)));
    player.write(program.slots, nextWord());
    player.play(program.program);
  }
  return (ids.length - 1) % size;
}
