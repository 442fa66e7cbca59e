import type { Backend, Player } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { CAPTION_MARK } from '../../data/captions/caption-batches.ts';
import { EngineError } from '../../errors.ts';
import { slotWord } from '../../kernels/slots.ts';
import { createGenerator, type TextReader } from '../dense-chronospike/generator.ts';
import type { LanguageModel, LanguageModelOptions } from '../dense-chronospike/language-model.ts';
import { checkWeights } from '../sparse-event-memory/batched-model.ts';
import { memoriedState, type MemoriedReadProgram, traceMemoriedChunk } from './programs.ts';
import { playStream, storedStreamsOf, type StoredStreams, streamOfText } from './reading.ts';
import { rangeOf } from './structure.ts';

/** Tokens of a prompt that are read at once where nothing else is said. */
const CHUNK = 32;
const MOST_CHUNK = 4096;

/**
 * Builds a model that writes text and loads it onto a device. It reads a prompt chunk by chunk, the memory of
 * each chunk carried into the next, so chunks of any length give the same text.
 */
export async function openMemoriedModel(
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
  if (Number.isInteger(chunk) && chunk >= 1 && chunk <= MOST_CHUNK) return;
  throw new EngineError(
    'invalid-setting',
    `chunk is ${chunk}: expected a whole number of tokens from 1 to ${MOST_CHUNK}`,
  );
}
