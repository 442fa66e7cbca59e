import { EngineError } from '../../errors.ts';
import { REPLACEMENT_BYTES, type TextTokenizer } from '../text-tokenizer.ts';
import { wholeCharacters } from '../text/whole-characters.ts';
import { type BpeModel, joinBytes } from './bpe-model.ts';
import { pairKey, type PairKey } from './pair-queue.ts';
import { ownCopy, PieceSplitter } from './pieces.ts';

/** Tokens are runs of bytes, so any text has an encoding, and decoding gives it back exactly. */
export interface BpeTokenizer extends TextTokenizer {
  readonly kind: 'bpe';
  readonly model: BpeModel;
  /** Throws EngineError `text-invalid` for half of a surrogate pair, which UTF-8 cannot hold. */
  encode(text: string): Uint32Array;
}

/** Pieces whose tokens are remembered: most of a text is the same few thousand. */
const REMEMBERED_PIECES = 1 << 16;

interface Ranked {
  readonly rank: number;
  readonly merged: number;
}

export function createBpeTokenizer(model: BpeModel): BpeTokenizer {
  const encodePiece = pieceEncoder(model);
  const openEncoder = () => {
    let ids: number[] = [];
    const whole = wholeCharacters();
    const splitter = new PieceSplitter((piece) => {
      for (const id of encodePiece(piece)) ids.push(id);
    });
    const taken = () => {
      const out = Uint32Array.from(ids);
      ids = [];
      return out;
    };
    return {
      push(text: string) {
        splitter.push(wellFormed(whole.push(text)));
        return taken();
      },
      end() {
        splitter.push(wellFormed(whole.end()));
        splitter.end();
        return taken();
      },
    };
  };
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
    size: model.tokens.length,
    start: encode('\n')[0] ?? 0,
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
function pieceEncoder({ tokens, merges }: BpeModel): (piece: string) => readonly number[] {
  const utf8 = new TextEncoder();
  const byteIds = new Uint32Array(256);
  for (const [id, bytes] of tokens.entries()) {
    if (bytes.length === 1) byteIds[bytes[0] ?? 0] = id;
  }
  const ranks = new Map<PairKey, Ranked>();
  for (const [rank, { left, right, merged }] of merges.entries()) {
    ranks.set(pairKey(left, right), { rank, merged });
  }
  const remembered = new Map<string, readonly number[]>();
  return (piece) => {
    const known = remembered.get(piece);
    if (known) return known;
    const ids = Array.from(utf8.encode(piece), (byte) => byteIds[byte] ?? 0);
    mergeAll(ids, ranks);
    if (remembered.size >= REMEMBERED_PIECES) remembered.clear();
    remembered.set(ownCopy(piece), ids);
    return ids;
  };
}

function mergeAll(ids: number[], ranks: ReadonlyMap<PairKey, Ranked>): void {
  for (;;) {
    let best: Ranked | undefined;
    let at = 0;
    for (let i = 1; i < ids.length; i++) {
      const found = ranks.get(pairKey(ids[i - 1] ?? 0, ids[i] ?? 0));
      if (found && (!best || found.rank < best.rank)) {
        best = found;
        at = i - 1;
      }
    }
    if (!best) return;
    ids.splice(at, 2, best.merged);
  }
}
