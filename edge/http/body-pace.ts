import { Problem } from './problem.ts';

/** How slowly a body may come. */
export interface Pace {
  /** Something has to come within it; what is added for what came already comes on top. */
  readonly stallMs: number;
  /** Of the whole body, so that a large one has its time and one that trickles has not. */
  readonly bytesPerS: number;
}

export const PACE: Pace = { stallMs: 30_000, bytesPerS: 4096 };

const paces = new WeakMap<ReadableStream, Pace>();

/** Says how slowly a body may come, where that is not as usual. */
export function paceBody(body: ReadableStream | null, pace: Pace): void {
  if (body) paces.set(body, pace);
}

/** Waits for one chunk. @throws Problem body_too_slow, from then on each time */
type Pacer = <R extends { readonly value?: Uint8Array | undefined }>(
  read: Promise<R>,
) => Promise<R>;

/**
 * Waits for the chunks of one body. Only its sender's time counts: not what is done with a chunk.
 */
export function createPacer(body: ReadableStream): Pacer {
  const pace = paces.get(body) ?? PACE;
  const { stallMs, bytesPerS } = pace;
  let waitedMs = 0;
  let bytes = 0;
  return async (read) => {
    const began = Date.now();
    const leftMs = stallMs + (bytes / bytesPerS) * 1000 - waitedMs;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(tooSlow(bytes, waitedMs + Date.now() - began, pace)),
      Math.min(stallMs, Math.max(0, leftMs)),
    );
    try {
      const result = await Promise.race([read, late.promise]);
      bytes += result.value?.byteLength ?? 0;
      return result;
    } finally {
      clearTimeout(timer);
      waitedMs += Date.now() - began;
    }
  };
}

function tooSlow(came: number, waitedMs: number, { stallMs, bytesPerS }: Pace): Problem {
  return new Problem(
    'body_too_slow',
    `${came} bytes of the body came in ${waitedMs / 1000} s: expected more within ${stallMs / 1000} s, and ${bytesPerS} bytes a second for long.`,
  );
}
