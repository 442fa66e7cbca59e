import { readEvents } from '../../edge/contract/event-stream.ts';

/** How one streamed answer went, in milliseconds since all were asked for. */
export interface Streamed {
  readonly firstMs: number;
  readonly endMs: number;
  /** Whether it came to its end, and its pieces are its text. */
  readonly isWhole: boolean;
}

/** Asks for so many texts at once and reads all of them as they are written. */
export function runStreams(
  url: string,
  count: number,
  requestOf: (n: number) => object,
): Promise<Streamed[]> {
  const started = performance.now();
  const since = () => performance.now() - started;
  return Promise.all(
    Array.from({ length: count }, async (_, n): Promise<Streamed> => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requestOf(n)),
      });
      let text = '';
      let firstMs = Number.POSITIVE_INFINITY;
      let isWhole = false;
      for await (const { event, data } of readEvents(answer)) {
        if (data === '[DONE]') continue;
        const value = JSON.parse(data);
        firstMs = Math.min(firstMs, since());
        if (event === 'message') text += value.delta;
        if (event === 'done') isWhole = value.outputs.text === text;
      }
      return { firstMs, endMs: since(), isWhole };
    }),
  );
}
