import { chunksOf, readBytes } from '../http/body.ts';
import { bodyOf } from './onward.ts';
import type { Sent } from './send.ts';

/** RFC 9110, section 9.2.2: carried out twice, they do no more than once. */
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
/** A body is held up to this size, so that it can be sent again. */
const MOST_BYTES = 64 * 1024;

export interface Replay {
  readonly body: Sent;
  /** Whether the request may be sent again where the first attempt fails. */
  readonly isAllowed: boolean;
}

/**
 * What is sent of a request, and whether it could be sent twice: where that is harmless by its
 * method, or its caller says so with an Idempotency-Key, and its body is small and of known length.
 *
 * @throws Problem body_cut_off
 */
export async function replayOf(request: Request): Promise<Replay> {
  const { method, headers } = request;
  const body = bodyOf(request);
  const isHarmless = IDEMPOTENT.includes(method) || headers.has('idempotency-key');
  if (!isHarmless || body === null) return { body, isAllowed: isHarmless };
  const length = headers.get('content-length');
  if (length === null || Number(length) > MOST_BYTES) return { body, isAllowed: false };
  const bytes = await readBytes(chunksOf(body), MOST_BYTES);
  return { body: new Uint8Array(bytes), isAllowed: true };
}
