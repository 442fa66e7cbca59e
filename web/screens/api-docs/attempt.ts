import { ownFetch } from '../../api/own-fetch.ts';
import type { Described } from './operations.ts';

/** What the gateway answered to a request that was tried. */
export interface Attempt {
  readonly status: number;
  readonly tookMs: number;
  readonly sizeBytes: number;
  readonly type: string;
  /** Undefined where the answer is not text. */
  readonly body: string | undefined;
  readonly isCut: boolean;
}

/** As much of an answer is shown. */
export const SHOWN_CHARACTERS = 50_000;

const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|yaml))/;

/** The address of an operation with its parameters filled in. A list's values are separated by commas. */
export function addressOf(
  { path, parameters }: Described,
  values: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams();
  for (const { name, in: place, schema } of parameters) {
    const value = values[name]?.trim() ?? '';
    if (place !== 'query' || value === '') continue;
    const all = schema?.type === 'array' ? value.split(',') : [value];
    for (const one of all) query.append(name, one.trim());
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name]?.trim() ?? ''),
  );
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** Sends a GET. A refusal is an answer here; only where nothing answered this throws, as fetch does. */
export async function attempt(address: string): Promise<Attempt> {
  const started = performance.now();
  const answer = await ownFetch(address, { headers: { accept: 'application/json, */*;q=0.5' } });
  const type = answer.headers.get('content-type') ?? '';
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const tookMs = performance.now() - started;
  const body = TEXT.test(type) ? prettyOf(new TextDecoder().decode(bytes), type) : undefined;
  return {
    status: answer.status,
    tookMs,
    sizeBytes: bytes.byteLength,
    type,
    body: body?.slice(0, SHOWN_CHARACTERS),
    isCut: (body?.length ?? 0) > SHOWN_CHARACTERS,
  };
}

function prettyOf(text: string, type: string): string {
  if (!type.includes('json')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
