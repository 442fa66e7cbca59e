import { EngineError } from '../../errors.ts';
import { type ByteSource, CHUNK_BYTES, readInChunks } from '../files/byte-source.ts';

export const TEXT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'shift_jis', 'euc-jp'] as const;
export type TextEncodingName = (typeof TEXT_ENCODINGS)[number];

interface ReadTextOptions {
  /** Overrides the detected encoding. */
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
const MAX_MARK_LENGTH = 3;
/** Characters beyond ASCII after which well-formed bytes are no accident. */
const ENOUGH = 4096;
/**
 * Minimum fraction of kana and punctuation in Japanese; half-width katakana read as EUC-JP have a twentieth.
 */
const COMMON_SHARE = 1 / 4;

/**
 * Detects the encoding of a text by its byte order mark or by the encodings in which its bytes are well
 * formed. Reads chunk by chunk until one is certain. UTF-8 takes precedence, as other texts are hardly ever
 * well formed in it; ASCII is UTF-8. Throws EngineError `text-invalid` with a byte offset for bytes that are
 * well formed in none, or in both Shift_JIS and EUC-JP without the kana that distinguish them.
 */
export async function detectEncoding(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<TextEncodingName> {
  const start = await source.read(0, Math.min(MAX_MARK_LENGTH, source.size));
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

/** Decodes again to find the byte: in chunks up to `start`, from there byte by byte. */
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

/** Length in bytes of the character that begins here; 0 for a malformed sequence. */
type SequenceRule = (lead: number, trail: (place: number) => number) => number;

const within = (byte: number, low: number, high: number) => byte >= low && byte <= high;
/** `trail` of a byte beyond the piece. */
const UNKNOWN = -1;
/** Bytes of the longest character in any of the encodings. */
const MAX_LENGTH = 4;

/** Validates byte sequences and counts the characters that are common in Japanese. */
class SequenceCounter {
  /** Characters beyond ASCII. */
  characters = 0;
  /** Of them, those that nearly every Japanese text is full of: kana and punctuation. */
  common = 0;
  /** Offset of the first sequence that is none in this encoding. */
  failedAt: number | undefined;
  readonly #rule: SequenceRule;
  readonly #isCommon: (lead: number, trail: number) => boolean;
  #rest = new Uint8Array(0);
  #offset = 0;

  constructor(rule: SequenceRule, isCommon: (lead: number, trail: number) => boolean) {
    this.#rule = rule;
    this.#isCommon = isCommon;
  }

  /** The next bytes of the text; `isLast` marks the last piece. */
  take(piece: Uint8Array, isLast: boolean): void {
    if (this.failedAt !== undefined) return;
    const bytes = new Uint8Array(this.#rest.length + piece.length);
    bytes.set(this.#rest);
    bytes.set(piece, this.#rest.length);
    const end = isLast ? bytes.length : bytes.length - MAX_LENGTH + 1;
    let at = 0;
    const trail = (place: number) => bytes[at + place] ?? UNKNOWN;
    while (at < end) {
      const lead = bytes[at] ?? 0;
      const length = lead < 0x80 ? 1 : this.#rule(lead, trail);
      if (length === 0) {
        this.failedAt = this.#offset + at;
        return;
      }
      if (lead >= 0x80) {
        this.characters++;
        if (this.#isCommon(lead, trail(1))) this.common++;
      }
      at += length;
    }
    this.#offset += at;
    this.#rest = bytes.slice(at);
  }
}

/** RFC 3629: no overlong forms, no halves of surrogate pairs, nothing beyond U+10FFFF. */
const utf8Rule: SequenceRule = (lead, trail) => {
  if (!within(lead, 0xc2, 0xf4)) return 0;
  const [low, high] = SECOND_BYTES.get(lead) ?? [0x80, 0xbf];
  if (!within(trail(1), low, high)) return 0;
  if (lead < 0xe0) return 2;
  if (!within(trail(2), 0x80, 0xbf)) return 0;
  if (lead < 0xf0) return 3;
  return within(trail(3), 0x80, 0xbf) ? 4 : 0;
};
/** Ranges of second bytes after lead bytes that restrict them. */
const SECOND_BYTES = new Map<number, readonly [low: number, high: number]>([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

const utf8Counter = () => new SequenceCounter(utf8Rule, () => false);

/** Windows code page 932. */
const shiftJisRule: SequenceRule = (lead, trail) => {
  if (within(lead, 0xa1, 0xdf)) return 1;
  if (!within(lead, 0x81, 0x9f) && !within(lead, 0xe0, 0xfc)) return 0;
  return within(trail(1), 0x40, 0x7e) || within(trail(1), 0x80, 0xfc) ? 2 : 0;
};

/** Shift_JIS with its extensions; half-width katakana are single bytes. */
const shiftJisCounter = () =>
  new SequenceCounter(shiftJisRule, (lead, trail) => {
    if (lead === 0x81) return within(trail, 0x40, 0x7a);
    if (lead === 0x82) return within(trail, 0x9f, 0xf1);
    return lead === 0x83 && within(trail, 0x40, 0x96);
  });

/** JIS X 0208, half-width katakana after 8E, JIS X 0212 after 8F. */
const eucJpRule: SequenceRule = (lead, trail) => {
  const continues = (place: number) => within(trail(place), 0xa1, 0xfe);
  if (lead === 0x8e) return within(trail(1), 0xa1, 0xdf) ? 2 : 0;
  if (lead === 0x8f) return continues(1) && continues(2) ? 3 : 0;
  return within(lead, 0xa1, 0xfe) && continues(1) ? 2 : 0;
};

const eucJpCounter = () =>
  new SequenceCounter(eucJpRule, (lead, trail) => {
    if (lead === 0xa1) return within(trail, 0xa1, 0xda);
    if (lead === 0xa4) return within(trail, 0xa1, 0xf3);
    return lead === 0xa5 && within(trail, 0xa1, 0xf6);
  });
