import type { Player } from '../../graph/backend.ts';
import type { TextTokenizer } from '../../data/tokenizers/text-tokenizer.ts';
import { EngineError } from '../../errors.ts';
import { slotWord } from '../../kernels/slots.ts';
import type { NgramModel } from '../../ngrams/kneser-ney.ts';
import { readerWithNgrams } from './with-ngrams.ts';
import type { ReadingProgram } from './batched-model.ts';
import { checkSampling, sampleToken, type Sampling } from './sampling.ts';

export interface GenerateRequest extends Sampling {
  /** Text to continue from; an empty prompt starts as after a line break. */
  readonly prompt: string;
  /** Tokens to write. */
  readonly tokens: number;
  readonly signal?: AbortSignal;
}

export interface TextGenerator {
  /**
   * Writes text, a piece for each token: empty where a character is not complete yet, and one that the
   * last token leaves so is left out. Throws EngineError `unknown-character` for a prompt outside the
   * alphabet and `invalid-setting` for a value that cannot be, before anything is written; stops
   * early when the signal is aborted. One text at a time, as the state is carried on the device:
   * a second one is refused with `generator-busy` until the first has ended.
   */
  generate(request: GenerateRequest): AsyncGenerator<string, void, undefined>;
}

/** Tokens of a prompt that may be queued before the device is waited for. */
const PROMPT_QUEUE = 64;

/** One text that a device reads token by token. */
export interface TextReader {
  /** Reads the first tokens of a text; stops early when the signal is aborted. */
  begin(tokens: Uint32Array, signal: AbortSignal | undefined): Promise<void>;
  /** Reads the next token; does not wait for the device. */
  read(token: number): void;
  /** Of the token after the last one read. */
  logits(): Promise<Float32Array>;
}

/** Streams text from a loaded program in the recurrent form: each token costs the same. */
export function createTextGenerator(
  player: Player,
  program: ReadingProgram,
  tokenizer: TextTokenizer,
  tables?: NgramModel,
): TextGenerator {
  return createGenerator(readerWithNgrams(recurrentReader(player, program), tables), tokenizer);
}

function recurrentReader(
  player: Player,
  { program, ids, slots, logits }: ReadingProgram,
): TextReader {
  const read = (token: number, isFirst: boolean) => {
    player.write(ids, Uint32Array.of(token));
    player.write(slots, Uint32Array.of(slotWord(0, isFirst)));
    player.play(program);
  };
  return {
    async begin(tokens, signal) {
      for (const [i, token] of tokens.entries()) {
        if (signal?.aborted) return;
        read(token, i === 0);
        if (i % PROMPT_QUEUE === PROMPT_QUEUE - 1) await player.settled();
      }
    },
    read: (token) => read(token, false),
    // Logits are always read as f32.
    logits: async () => (await player.read(logits)) as Float32Array,
  };
}

/** Streams text from whatever reads it, up to the token `end` where there is one. */
export function createGenerator(
  reader: TextReader,
  tokenizer: Pick<TextTokenizer, 'start' | 'encode' | 'openDecoder'>,
  end?: number,
): TextGenerator {
  async function* write({ tokens, signal, ...sampling }: Omit<GenerateRequest, 'prompt'>) {
    const decoder = tokenizer.openDecoder();
    for (let position = 0; position < tokens; position++) {
      if (signal?.aborted) return;
      const token = sampleToken(await reader.logits(), sampling, position);
      if (token === end) return;
      yield decoder.push([token]);
      if (position + 1 < tokens) reader.read(token);
    }
  }
  let isWriting = false;
  return {
    async *generate({ prompt, ...request }) {
      if (isWriting) throw busy();
      checkSampling(request);
      checkTokens(request.tokens);
      const prefix = prompt === '' ? Uint32Array.of(tokenizer.start) : tokenizer.encode(prompt);
      isWriting = true;
      try {
        await reader.begin(prefix, request.signal);
        yield* write(request);
      } finally {
        isWriting = false;
      }
    },
  };
}

function busy(): EngineError {
  return new EngineError(
    'generator-busy',
    'the model is writing another text: expected it to end first',
  );
}

function checkTokens(tokens: number): void {
  if (Number.isSafeInteger(tokens) && tokens >= 0) return;
  throw new EngineError('invalid-setting', `tokens is ${tokens}: expected a whole number`);
}

/** A stored model made ready to write text. */
export interface LanguageModel extends TextGenerator {
  close(): void;
}

export interface LanguageModelOptions {
  /** `int8` rounds the weights that spikes feed: a quarter of the bytes to read, and not quite the same text. */
  readonly weights?: 'float32' | 'int8';
  /** Tokens of a prompt that a memoried model reads at once; the text does not depend on it. */
  readonly chunk?: number | undefined;
}

/** One layer while it read a text: time runs through the steps of each token in turn. */
export interface LayerObservation {
  readonly name: string;
  readonly neurons: number;
  /** Columns of time: tokens times steps. */
  readonly times: number;
  /** Spikes, a packed row of `ceil(neurons / 32)` words per time. */
  readonly spikes: Uint32Array;
  /** `[times][neurons]`: membranes before each reset; of EvoLIF in units of each neuron's threshold. */
  readonly membranes: Float32Array;
  readonly threshold: number;
}

export interface Observer {
  /** Names of the layers, in order. */
  readonly layers: readonly string[];
  /** Tokens that are read at once. */
  readonly sequence: number;
  /** Reads `ids u32[sequence]` and reports one layer. Throws EngineError `invalid-setting` for an unknown layer. */
  observe(ids: Uint32Array, layer: string): Promise<LayerObservation>;
}
