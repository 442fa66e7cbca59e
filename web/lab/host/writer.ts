import type { TextGenerator } from '../../../engine/index.ts';
import type { GenerationRequest } from '../protocol.ts';
import type { Turns } from './turns.ts';

/** How long a writer may keep the device before training gets its turn, ms. */
const WRITING_TURN_MS = 40;

interface GenerationOptions {
  readonly turns: Turns;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly wrote: (text: string) => void;
}

/** Writes text in turns of a few characters, each announced as it ends. */
export async function writeInTurns(
  generator: TextGenerator,
  { prompt, tokens, temperature, topK, topP, seed }: GenerationRequest,
  { turns, now, signal, wrote }: GenerationOptions,
): Promise<{ tokens: number; seconds: number }> {
  const started = now();
  const sampling = { temperature, topK, topP, seed };
  const pieces = generator.generate({ prompt, tokens, ...sampling, signal });
  let written = 0;

  const turn = async () => {
    const until = now() + WRITING_TURN_MS;
    let text = '';
    let isDone = false;
    while (!isDone && now() < until) {
      const next = await pieces.next();
      isDone = next.done === true;
      if (next.done) break;
      text += next.value;
      written++;
    }
    if (text !== '') wrote(text);
    return isDone;
  };

  while (!(await turns.take(turn)));
  return { tokens: written, seconds: (now() - started) / 1000 };
}
