import type { InferAnswer, InferChunk } from '../inference/contract/infer.ts';
import { type Occurrence, problemDocument, problemOf } from '../contract/refusal.ts';

/** A text as server-sent events while it is written. */
interface TextStream {
  readonly response: Response;
  write(text: string): void;
  /** The rest follows once this settles. */
  endWith(id: string, answer: Promise<InferAnswer>): void;
}

const encoder = new TextEncoder();

/**
 * Text that a slow reader has not taken yet is joined to one chunk: it costs no more memory than the text
 * itself, and blocks nobody.
 */
export function createTextStream(occurrence: Occurrence, onGone: () => void): TextStream {
  let pending = '';
  let index = 0;
  let id = '';
  let rest: string | undefined;
  let wake = Promise.withResolvers<void>();

  const frame = (delta: string, finish_reason: InferChunk['finish_reason']): string => {
    const chunk: InferChunk = { id, index, delta, finish_reason };
    index += 1;
    return `data: ${JSON.stringify(chunk)}\n\n`;
  };
  const take = (): string => {
    const text = pending;
    pending = '';
    return text === '' ? '' : frame(text, null);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (pending === '' && rest === undefined) await wake.promise;
        wake = Promise.withResolvers();
        const text = take();
        if (text !== '') controller.enqueue(encoder.encode(text));
        if (rest === undefined) return;
        controller.enqueue(encoder.encode(rest));
        controller.close();
      },
      cancel: onGone,
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  const end = (frames: string) => {
    rest = frames;
    wake.resolve();
  };
  return {
    response: new Response(body, { headers }),
    write(text) {
      pending += text;
      wake.resolve();
    },
    endWith(generation, answer) {
      id = generation;
      answer.then(
        (whole) => {
          const done = `event: done\ndata: ${JSON.stringify(whole)}\n\n`;
          const last = () => frame('', whole.finish_reason);
          // Numbered after what is still pending.
          const before = take();
          end(`${before}${last()}${done}data: [DONE]\n\n`);
        },
        (error: unknown) => {
          const document = problemDocument(problemOf(error), occurrence);
          end(`event: error\ndata: ${JSON.stringify(document)}\n\n`);
        },
      );
    },
  };
}
