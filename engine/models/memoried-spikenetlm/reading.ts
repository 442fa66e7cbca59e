import type { Backend, Player } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { CAPTION_MARK } from '../../data/captions/caption-batches.ts';
import type { Tokenizer } from '../../data/tokenizers/tokenizer.ts';
import { EngineError } from '../../errors.ts';
import type { Program } from '../../graph/program.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { keep } from '../../ops/keep.ts';
import { countSlotSpikes } from '../../ops/lif.ts';
import { slotWord } from '../../kernels/slots.ts';
import type { PrefixInputs } from '../captioning/prefix.ts';
import type { FamilyReading } from '../family.ts';
import type {
  BatchedModel,
  BatchedModelOptions,
  ObservedRead,
  ReadingProgram,
} from '../language/batched-model.ts';
import {
  createGenerator,
  type LanguageModel,
  type LanguageModelOptions,
  type TextReader,
} from '../language/generator.ts';
import { checkSlots, createSlotModel, readingSizes } from '../language/slot-model.ts';
import { layOutFixedPart } from '../sparse-event-memory/fixed-part.ts';
import { sparseLayers } from '../sparse-event-memory/reading-programs.ts';
import { checkWeights, joinedRows, loadSparse } from '../sparse-event-memory/reading.ts';
import { sparseUseOf } from '../sparse-event-memory/spike-use.ts';
import { modelOf } from '../stored-model.ts';
import { type Codebooks, codebooksOf } from './codebooks.ts';
import { codesOfInputs } from './coding.ts';
import { memoriedStructureFrom } from './family.ts';
import {
  type MemoriedModel,
  type MemoriedReadProgram,
  memoriedState,
  traceMemoriedChunk,
} from './programs.ts';
import {
  backboneOf,
  type PackedStream,
  packStream,
  rangeOf,
  type StreamedStructure,
  type StreamToken,
} from './structure.ts';

/** A stored model as those who read with it need it. */
interface StoredStreams extends MemoriedModel {
  readonly structure: StreamedStructure;
  readonly codebooks: Codebooks;
  readonly tokenizer: Tokenizer;
  /** The token that texts begin behind and end with. */
  readonly mark: number;
  load(backend: Backend, programs: readonly Program[]): Promise<Player>;
}

/** Throws EngineError `checkpoint-mismatch` for a model of another family. */
function storedStreamsOf(stored: StoredModel): StoredStreams {
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

/** A image and a sound as a stream: behind the mark that all streams begin with. */
function streamOfInputs(
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
function streamOfText(ids: Uint32Array): PackedStream {
  return { ids, modalities: new Uint32Array(ids.length) };
}

/**
 * Plays a stream chunk by chunk, each going on from what the chunk before left in the memory of its slot; what
 * fills the last chunk up leaves no trace. Gives the row of the last token.
 */
function playStream(
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

/** Tokens of a prompt that are read at once by default. */
const CHUNK = 32;
const MAX_CHUNK = 4096;

/**
 * Builds a model that writes text and loads it onto a device. It reads a prompt chunk by chunk, the memory of
 * each chunk carried into the next, so chunks of any length give the same text.
 */
async function openMemoriedModel(
  backend: Backend,
  stored: StoredModel,
  { weights = 'float32', chunk = CHUNK }: LanguageModelOptions,
): Promise<LanguageModel> {
  checkWeights('memoried_spikenetlm', weights);
  checkChunk(chunk);
  const streams = storedStreamsOf(stored);
  const { tokenizer, mark } = streams;
  const state = memoriedState();
  const chunked = traceMemoriedChunk(streams, { batch: 1, sequence: chunk }, state);
  const single = traceMemoriedChunk(streams, { batch: 1, sequence: 1 }, state);
  const player = await streams.load(backend, [chunked.program, single.program]);
  const begun = {
    start: mark,
    encode: (text: string) => tokenizer.encode(CAPTION_MARK + text),
    openDecoder: () => tokenizer.openDecoder(),
  };
  return {
    ...createGenerator(chunkReader(player, streams, { chunked, single }), begun, mark),
    close: () => player.close(),
  };
}

const goOn = () => Uint32Array.of(slotWord(0, false));

/** Reads prompts in chunks and what is written token by token, both into one memory. */
function chunkReader(
  player: Player,
  { structure }: StoredStreams,
  { chunked, single }: Record<'chunked' | 'single', MemoriedReadProgram>,
): TextReader {
  const { end: width } = rangeOf(structure, 'text');
  let latest = { program: single, row: 0 };
  return {
    async begin(tokens) {
      let isFresh = true;
      const nextWord = () => {
        const word = slotWord(0, isFresh);
        isFresh = false;
        return Uint32Array.of(word);
      };
      const row = playStream(player, chunked, streamOfText(tokens), nextWord);
      latest = { program: chunked, row };
      await player.settled();
    },
    read(token) {
      const row = playStream(player, single, streamOfText(Uint32Array.of(token)), goOn);
      latest = { program: single, row };
    },
    async logits() {
      const { logits } = latest.program;
      const all = logits.shape.at(-1) ?? 0;
      // Logits are always read as f32.
      const scores = (await player.read(logits)) as Float32Array;
      return scores.subarray(latest.row * all, latest.row * all + width);
    },
  };
}

function checkChunk(chunk: number): void {
  if (Number.isInteger(chunk) && chunk >= 1 && chunk <= MAX_CHUNK) return;
  throw new EngineError(
    'invalid-setting',
    `chunk is ${chunk}: expected a whole number of tokens from 1 to ${MAX_CHUNK}`,
  );
}

/** Plays that may be queued before the device is waited for. */
const QUEUE = 16;

/**
 * Loads a model with a memory for each slot: membranes and spikes of its experts, and the means of router and
 * pooled head. It writes text behind whatever images and audio a slot has read before.
 */
async function openBatchedMemoried(
  backend: Backend,
  stored: StoredModel,
  { slots, weights = 'float32' }: BatchedModelOptions,
): Promise<BatchedModel> {
  checkSlots(slots);
  checkWeights('memoried_spikenetlm', weights);
  const streams = storedStreamsOf(stored);
  const backbone = backboneOf(streams.structure);
  const { vocabularies, classes } = streams.structure;
  // One more than asked for: rows that nobody uses read into it.
  const context = createContext(streams, slots + 1);
  const programs = readingSizes(slots).map((rows) => traceToken(context, rows));
  const observation = traceToken(context, 1, { keepsSpikes: true });
  const loaded = [...programs, observation];
  const player = await streams.load(
    backend,
    loaded.map(({ program }) => program),
  );
  for (const { mask, rows } of loaded) player.write(mask, new Uint32Array(rows).fill(1));
  const [single] = programs;
  const batched = createSlotModel(player, {
    vocabulary: backbone.vocabulary,
    slots,
    programs,
    observation,
    useOf: (counts, tokens, prefix = 0) => sparseUseOf(backbone, counts, tokens + prefix),
    async prime(_, inputs, nextWord) {
      const { ids, modalities } = streamOfInputs(streams, inputs);
      if (!single) return 0;
      for (let first = 0; first < ids.length; first += QUEUE) {
        const part = (words: Uint32Array) => words.subarray(first, first + QUEUE);
        playStream(player, single, { ids: part(ids), modalities: part(modalities) }, nextWord);
        await player.settled();
      }
      // Everything read from here on is text.
      player.write(single.modalities, new Uint32Array(1));
      return ids.length;
    },
  });
  const text = (logits: Float32Array) =>
    textScores(logits, { all: backbone.vocabulary, text: vocabularies.text });
  const pooled = context.state('pooled', 'f32', [slots + 1, classes + 1]);
  return {
    ...batched,
    vocabulary: vocabularies.text,
    read: async (reads) => text(await batched.read(reads)),
    async observe(read): Promise<ObservedRead> {
      const { logits, layers } = await batched.observe(read);
      return {
        logits: text(logits),
        layers: layers.map((layer) => ({ ...layer, spikes: joinedRows(layer, backbone) })),
      };
    },
    ...(classes > 1 && {
      async classScores(slot: number) {
        // Means of the scores of all tokens, and how many those are. Floats are read as f32.
        const all = (await player.read(pooled)) as Float32Array;
        return all.slice(slot * (classes + 1), slot * (classes + 1) + classes);
      },
    }),
  };
}

interface Context {
  readonly streams: StoredStreams;
  readonly slots: number;
  readonly state: ReturnType<typeof memoriedState>;
  /** `u32[slots, layers]` */
  readonly counts: Tensor;
}

function createContext(streams: StoredStreams, slots: number): Context {
  const counts = sharedTensor('spike counts', 'u32', [slots, streams.structure.blocks]);
  return { streams, slots, state: memoriedState(), counts };
}

/** Reads one token for each row, of any modality. */
function traceToken(
  { streams, slots: slotCount, state, counts }: Context,
  rows: number,
  { keepsSpikes = false }: { readonly keepsSpikes?: boolean } = {},
): ReadingProgram & Pick<MemoriedReadProgram, 'modalities' | 'mask'> {
  const kept: Tensor[] = [];
  const traced = traceMemoriedChunk(streams, { batch: rows, sequence: 1 }, state, {
    slotCount,
    visit:
      (graph, slots) =>
      ({ spikes, block }) => {
        countSlotSpikes(graph, spikes, { slots, counts, layer: block });
        if (keepsSpikes) kept.push(keep(graph, `kept spikes of block ${block}`, spikes));
      },
  });
  return { ...traced, rows, layers: sparseLayers(backboneOf(streams.structure)), counts, kept };
}

/** Of scores for the whole vocabulary those of its texts, which come first. */
function textScores(
  logits: Float32Array,
  { all, text }: { readonly all: number; readonly text: number },
): Float32Array {
  const rows = logits.length / all;
  const scores = new Float32Array(rows * text);
  for (let row = 0; row < rows; row++) {
    scores.set(logits.subarray(row * all, row * all + text), row * text);
  }
  return scores;
}

export const reading: FamilyReading = {
  openBatched: openBatchedMemoried,
  openLanguage: openMemoriedModel,
};
