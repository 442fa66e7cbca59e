import { diskFull, Problem, problemOf } from '../contract/refusal.ts';

/** Free bytes where a service stores; undefined if unknown. */
export type Space = () => Promise<number | undefined>;

/** Files leave so much for the rows of databases, without which nothing can be deleted either. */
const RESERVE_BYTES = 8 * 2 ** 20;
/** Below it databases fail, and the runtime does not say why. */
const FULL_BYTES = 2 ** 20;
/** As edge/uploads/file-writer.ts has it: on a full disk the bucket of one's own machine never answers. */
const STALLED = /the bucket took no bytes/;

/** Refuses a file that there is no room for, before it is read. @throws Problem insufficient_storage */
export async function expectRoom({ headers }: Request, space: Space): Promise<void> {
  const free = await space().catch(() => undefined);
  if (free === undefined) return;
  const size = Number(headers.get('content-length') ?? 0);
  if (size + RESERVE_BYTES > free) throw diskFull(`It holds ${size} bytes, and ${free} are free.`);
}

/** Recognizes a full disk, which the runtime hides behind an error reference. */
export async function explained(fault: unknown, space: Space): Promise<unknown> {
  if (fault instanceof Problem || problemOf(fault).code !== 'internal') return fault;
  const free = await space().catch(() => undefined);
  if (free === undefined) return fault;
  return free < FULL_BYTES || STALLED.test(String(fault)) ? diskFull() : fault;
}
