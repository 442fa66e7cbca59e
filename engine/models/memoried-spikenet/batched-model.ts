import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { keep } from '../../ops/keep.ts';
import { countSlotSpikes } from '../../ops/lif.ts';
import type { BatchedModel, BatchedModelOptions, ObservedRead } from '../batched-model.ts';
import type { ReadingProgram } from '../dense-chronospike/reading-programs.ts';
import { createSlotModel } from '../slot-model.ts';
import { checkSlots, readingSizes } from '../slot-reads.ts';
import { checkWeights, joinedRows } from '../sparse-event-memory/batched-model.ts';
import { sparseLayers } from '../sparse-event-memory/reading-programs.ts';
import { sparseUseOf } from '../sparse-event-memory/spike-use.ts';
import { memoriedState, type MemoriedReadProgram, traceMemoriedChunk } from './programs.ts';
import { playStream, storedStreamsOf, streamOfInputs, type StoredStreams } from './reading.ts';
import { backboneOf } from './structure.ts';

/** Plays that may be queued before the device is waited for. */
const QUEUE = 16;

/**
 * Loads a model with a memory for each slot: membranes and spikes of its experts, and the means of router and
 * pooled head. It writes text behind whatever pictures and sounds a slot has read before.
 */
export async function openBatchedMemoried(
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
      // What is read from here on is text.
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
