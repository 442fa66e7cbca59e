import { EngineError } from '../../errors.ts';
import { type ByteSource, CHUNK_BYTES, readInChunks } from '../files/byte-source.ts';
import {
  eucJpCounter,
  type SequenceCounter,
  shiftJisCounter,
  utf8Counter,
} from './byte-sequences.ts';

export const TEXT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'shift_jis', 'euc-jp'] as const;
export type TextEncodingName = (typeof TEXT_ENCODINGS)[number];

export interface ReadTextOptions {
  /** Read as this instead of what the bytes tell. */
  readonly encoding?: TextEncodingName;
  /** Called with the bytes decoded so far. */
  readonly onProgress?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

const BYTE_ORDER_MARKS: readonly (readonly [TextEncodingName, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
const LONGEST_MARK = 3;
/** Characters beyond ASCII after which well-formed bytes are no accident. */
const ENOUGH = 4096;
/** The least share of kana and punctuation in Japanese; half-width katakana read as EUC-JP have a twentieth. */
const COMMON_SHARE = 1 / 4;

/**
 * Tells the encoding of a text from a byte order mark or from which encodings its bytes are well
 * formed in. Reads until one is certain, to the end if need be, chunk by chunk. UTF-8 comes
 * before the others, as other texts are hardly ever well formed in it; ASCII is UTF-8. Throws
 * EngineError `text-invalid` with a byte offset for bytes that are well formed in none, or in both
 * Shift_JIS and EUC-JP without the kana that tell them apart.
 */
export async function detectEncoding(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<TextEncodingName> {
  const start = await source.read(0, Math.min(LONGEST_MARK, source.size));
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, i) => start[i] === byte));
  if (marked) return marked[0];
  const utf8 = utf8Counter();
  const shiftJis = shiftJisCounter();
  const eucJp = eucJpCounter();
  const isSettled = () => {
    if (utf8.failedAt === undefined) return utf8.characters >= ENOUGH;
    const alive = [shiftJis, eucJp].filter(({ failedAt }) => failedAt === undefined);
    return alive.length === 0 || (alive.length === 1 && (alive[0]?.characters ?? 0) >= ENOUGH);
  };
  for await (const { bytes, end } of readInChunks(source, signal)) {
    for (const counter of [utf8, shiftJis, eucJp]) counter.take(bytes, end === source.size);
    if (isSettled()) break;
  }
  if (utf8.failedAt === undefined) return 'utf-8';
  return japaneseEncoding(source.name, { shiftJis, eucJp, firstAt: utf8.failedAt });
}

const isJapanese = ({ common, characters }: SequenceCounter) => common >= characters * COMMON_SHARE;

/** Decides between the two that are left when the bytes are not UTF-8 from `firstAt` on. */
function japaneseEncoding(
  name: string,
  { shiftJis, eucJp, firstAt }: Record<'shiftJis' | 'eucJp', SequenceCounter> & { firstAt: number },
): TextEncodingName {
  if (shiftJis.failedAt !== undefined && eucJp.failedAt !== undefined) {
    throw new EngineError(
      'text-invalid',
      `${name} is not a text in UTF-8 (up to byte ${firstAt}), Shift_JIS (up to byte ` +
        `${shiftJis.failedAt}) or EUC-JP (up to byte ${eucJp.failedAt})`,
    );
  }
  if (eucJp.failedAt !== undefined) return 'shift_jis';
  if (shiftJis.failedAt !== undefined) return 'euc-jp';
  if (isJapanese(shiftJis) !== isJapanese(eucJp))
    return isJapanese(shiftJis) ? 'shift_jis' : 'euc-jp';
  throw new EngineError(
    'text-invalid',
    `${name} may be Shift_JIS or EUC-JP from byte ${firstAt} on: say which of them it is`,
  );
}

/**
 * Decodes a text chunk by chunk, without its byte order mark. Throws EngineError `text-invalid`
 * with the offset of the byte that cannot be decoded.
 */
export async function* readText(
  source: ByteSource,
  options: ReadTextOptions = {},
): AsyncGenerator<string> {
  const { signal, onProgress } = options;
  const encoding = options.encoding ?? (await detectEncoding(source, signal));
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const { bytes, start, end } of readInChunks(source, signal)) {
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: end < source.size });
    } catch (error) {
      throw await undecodable(source, { encoding, start, cause: error });
    }
    yield text;
    onProgress?.(end);
  }
}

/** Decodes again to find the byte: up to the chunk at `start` as before, from there byte by byte. */
async function undecodable(
  source: ByteSource,
  { encoding, start, cause }: { encoding: TextEncodingName; start: number; cause: unknown },
): Promise<EngineError> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for (let at = 0; at < start; at += CHUNK_BYTES) {
    decoder.decode(await source.read(at, at + CHUNK_BYTES), { stream: true });
  }
  const bytes = await source.read(start, Math.min(start + CHUNK_BYTES, source.size));
  let at = 0;
  try {
    while (at < bytes.length) {
      decoder.decode(bytes.subarray(at, at + 1), { stream: true });
      at++;
    }
  } catch {
    const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0');
    const place = `byte ${start + at} (${byte})`;
    return new EngineError(
      'text-invalid',
      `${source.name} is not ${encoding} text: ${place} cannot be decoded`,
      { cause },
    );
  }
  return new EngineError(
    'text-invalid',
    `${source.name} is not ${encoding} text: it ends at byte ${source.size} within a character`,
    { cause },
  );
}
