import { EngineError } from '../../errors.ts';
import { wholeCharacters } from '../text/filter.ts';
import { type NormalStep, normalSteps } from '../text/normalise.ts';
import { type BpeModel, joinBytes } from './bpe-model.ts';
import { mergeAll, ranksOf } from './merge-pairs.ts';
import { addedSplitter, ownCopy, type Pieces, splitterOf } from './splitters.ts';
import { REPLACEMENT_BYTES, type TextTokenizer, type TokenEncoder } from './text-tokenizer.ts';

/** Tokens are byte sequences, so any text has an encoding, and decoding is exact. */
export interface BpeTokenizer extends TextTokenizer {
  readonly kind: 'bpe';
  readonly model: BpeModel;
  /** Throws EngineError `text-invalid` for half of a surrogate pair, which UTF-8 cannot hold. */
  encode(text: string): Uint32Array;
}

/** Cached pieces: most of a text is the same few thousand. */
const REMEMBERED_PIECES = 1 << 16;
const MAX_REMEMBERED_LENGTH = 256;

export function createBpeTokenizer(
  model: BpeModel,
  steps: readonly NormalStep[] = [],
): BpeTokenizer {
  const encodePiece = pieceEncoder(model);
  const openEncoder = () => encoderOf(model, steps, encodePiece);
  const encode = (text: string) => {
    const encoder = openEncoder();
    const [start, rest] = [encoder.push(text), encoder.end()];
    const ids = new Uint32Array(start.length + rest.length);
    ids.set(start);
    ids.set(rest, start.length);
    return ids;
  };
  const bytesOf = (id: number) => model.tokens[id] ?? REPLACEMENT_BYTES;
  const openDecoder = () => {
    const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
    return {
      push: (ids: Iterable<number>) =>
        utf8.decode(joinBytes(Array.from(ids, bytesOf)), { stream: true }),
      end: () => utf8.decode(),
    };
  };
  return {
    kind: 'bpe',
    model,
    steps,
    size: model.tokens.length,
    start: encode('\n').at(-1) ?? 0,
    encode,
    openEncoder,
    openDecoder,
    decode(ids) {
      const decoder = openDecoder();
      return decoder.push(ids) + decoder.end();
    },
    bytesOf,
  };
}

/** A streaming encoder: splits at added tokens, and the text between them into pieces. */
function encoderOf(
  model: BpeModel,
  steps: readonly NormalStep[],
  encodePiece: (piece: string) => readonly number[],
): TokenEncoder {
  let ids: number[] = [];
  const whole = wholeCharacters();
  const take = (piece: string) => {
    for (const id of encodePiece(piece)) ids.push(id);
  };
  let segment = openSegment(model, steps, take);
  const added = addedSplitter(model.form?.added ?? [], {
    text: (part) => segment.push(part),
    token(id) {
      segment.end();
      segment = openSegment(model, steps, take);
      ids.push(id);
    },
  });
  const taken = () => {
    const out = Uint32Array.from(ids);
    ids = [];
    return out;
  };
  return {
    push(text: string) {
      added.push(wellFormed(whole.push(text)));
      return taken();
    },
    end() {
      added.push(wellFormed(whole.end()));
      added.end();
      segment.end();
      return taken();
    },
  };
}

/** A stretch of text between two added tokens: normalised, cut, and merged. */
function openSegment(
  { form }: BpeModel,
  steps: readonly NormalStep[],
  take: (piece: string) => void,
): Pieces {
  const pieces = splitterOf(form, take);
  if (steps.length === 0) return pieces;
  const normal = normalSteps(steps);
  return {
    push: (text) => pieces.push(normal.push(text)),
    end() {
      pieces.push(normal.end());
      pieces.end();
    },
  };
}

function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  const at = /\p{Surrogate}/u.exec(text)?.index ?? 0;
  const unit = text.charCodeAt(at).toString(16).toUpperCase();
  throw new EngineError(
    'text-invalid',
    `the text has U+${unit}, half of a surrogate pair, at unit ${at}: expected whole characters`,
  );
}

/** Merges within a piece, the earliest learned first. */
function pieceEncoder({ tokens, merges, form }: BpeModel): (piece: string) => readonly number[] {
  const utf8 = new TextEncoder();
  const byteIds = new Uint32Array(256);
  for (const [id, bytes] of tokens.entries()) {
    if (bytes.length === 1) byteIds[bytes[0] ?? 0] = id;
  }
  const ranks = ranksOf(merges);
  const wholes = form?.prefersWhole ? wholeTokens(tokens) : undefined;
  const remembered = new Map<string, readonly number[]>();
  return (piece) => {
    const known = remembered.get(piece);
    if (known) return known;
    const bytes = utf8.encode(piece);
    const whole = wholes?.get(bytes.join(' '));
    const ids = whole === undefined ? Array.from(bytes, (byte) => byteIds[byte] ?? 0) : [whole];
    mergeAll(ids, ranks);
    if (piece.length > MAX_REMEMBERED_LENGTH) return ids;
    if (remembered.size >= REMEMBERED_PIECES) remembered.clear();
    remembered.set(ownCopy(piece), ids);
    return ids;
  };
}

const wholeTokens = (tokens: readonly Uint8Array[]): ReadonlyMap<string, number> =>
  new Map(tokens.map((bytes, id) => [bytes.join(' '), id]));
