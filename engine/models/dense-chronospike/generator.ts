import type { Player } from '../../backends/backend.ts';
import type { TextTokenizer } from '../../data/text-tokenizer.ts';
import { EngineError } from '../../errors.ts';
import { slotWord } from '../../ops/slots.ts';
import { checkSampling, sampleToken, type Sampling } from '../sampling.ts';
import type { ReadingProgram } from './reading-programs.ts';

export interface GenerateRequest extends Sampling {
  /** Text to go on from; an empty prompt starts as after a line break. */
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

/** Streams text from a loaded program in the recurrent form: each token costs the same. */
export function createTextGenerator(
  player: Player,
  { program, ids, slots, logits }: ReadingProgram,
  tokenizer: TextTokenizer,
): TextGenerator {
  const read = (token: number, isFirst: boolean) => {
    player.write(ids, Uint32Array.of(token));
    player.write(slots, Uint32Array.of(slotWord(0, isFirst)));
    player.play(program);
  };
  const readPrompt = async (prefix: Uint32Array, signal: AbortSignal | undefined) => {
    for (const [i, token] of prefix.entries()) {
      if (signal?.aborted) return;
      read(token, i === 0);
      if (i % PROMPT_QUEUE === PROMPT_QUEUE - 1) await player.settled();
    }
  };
  async function* write({ tokens, signal, ...sampling }: Omit<GenerateRequest, 'prompt'>) {
    const decoder = tokenizer.openDecoder();
    for (let position = 0; position < tokens; position++) {
      if (signal?.aborted) return;
      // Logits are always read as f32.
      const scores = (await player.read(logits)) as Float32Array;
      const token = sampleToken(scores, sampling, position);
      yield decoder.push([token]);
      if (position + 1 < tokens) read(token, false);
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
        await readPrompt(prefix, request.signal);
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
