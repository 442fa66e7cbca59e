import type { TextTokenizer } from '../../data/tokenizers/text-tokenizer.ts';
import type { PrefixInputs } from '../captioning/prefix.ts';
import { sampleToken, type Sampling } from './sampling.ts';

/** A text to be written, in tokens. */
export interface Sequence {
  /** At least one. */
  readonly prompt: Uint32Array;
  /** Its prefix, where the model reads more than text. */
  readonly prefix?: PrefixInputs | undefined;
  /** Tokens to write at most. */
  readonly most: number;
  readonly sampling: Sampling;
  /** In UTF-8. The text ends before the first of these, which may be within a token. */
  readonly stops: readonly Uint8Array[];
  /** True where the text is returned as it is written, and not all of it at the end. */
  readonly isStreamed: boolean;
  /** True where every spike is returned, for a raster. */
  readonly hasRaster: boolean;
}

/** When each neuron of a layer fired: a packed row for each time step of each token read. */
export interface RasterRows {
  readonly layer: string;
  readonly neurons: number;
  readonly rows: Uint32Array;
}

/** The part of a text that may be shown: `tokens` are those that begin in it. */
export interface Written {
  readonly text: string;
  readonly tokens: number;
}

/** One sequence while it is read and written: which token comes next, and what may be shown. */
export class Writing<S extends Sequence = Sequence> {
  readonly sequence: S;
  /** Tokens read so far, those of the prompt first. */
  read = 0;
  reason: 'stop' | 'length' | undefined;
  readonly #tokenizer: Pick<TextTokenizer, 'bytesOf'>;
  readonly #written: number[] = [];
  /** The text in UTF-8, and where in it each token written begins. */
  readonly #bytes: number[] = [];
  readonly #starts: number[] = [];
  #shownBytes = 0;
  #shownTokens = 0;
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #raster = new Map<string, { neurons: number; rows: Uint32Array[] }>();

  constructor(sequence: S, tokenizer: Pick<TextTokenizer, 'bytesOf'>) {
    this.sequence = sequence;
    this.#tokenizer = tokenizer;
  }

  /** The token to read next. */
  get next(): number {
    const { prompt } = this.sequence;
    return prompt[this.read] ?? this.#written[this.read - prompt.length] ?? 0;
  }

  /** True where the token after the next one has to be sampled. */
  get needsLogits(): boolean {
    return this.read >= this.sequence.prompt.length - 1 && this.sequence.most > 0;
  }

  /** The next token has been read; `logits` choose the one after it, where that is needed. */
  advance(logits: Float32Array | undefined): void {
    const { prompt, most, sampling } = this.sequence;
    this.read += 1;
    if (this.read < prompt.length) return;
    if (logits && most > 0) this.#write(sampleToken(logits, sampling, this.#written.length));
    if (this.#written.length >= most) this.reason ??= 'length';
  }

  #write(token: number): void {
    this.#written.push(token);
    this.#starts.push(this.#bytes.length);
    for (const byte of this.#tokenizer.bytesOf(token)) {
      this.#bytes.push(byte);
      const stop = stopAtEnd(this.#bytes, this.sequence.stops);
      if (stop === 0) continue;
      this.#bytes.length -= stop;
      this.reason = 'stop';
      return;
    }
  }

  /**
   * The text that is complete and not yet returned. An incomplete character is withheld, and dropped where
   * the text ends in it.
   */
  take(): Written {
    const isOver = this.reason !== undefined;
    if (!this.sequence.isStreamed && !isOver) return { text: '', tokens: 0 };
    const held = isOver ? 0 : withheldLength(this.#bytes, this.sequence.stops);
    const end = Math.max(this.#shownBytes, this.#bytes.length - held);
    const bytes = Uint8Array.from(this.#bytes.slice(this.#shownBytes, end));
    const before = this.#shownTokens;
    while ((this.#starts[this.#shownTokens] ?? end) < end) this.#shownTokens++;
    this.#shownBytes = end;
    const text = this.#utf8.decode(bytes, { stream: true });
    return { text, tokens: this.#shownTokens - before };
  }

  see(layer: string, neurons: number, rows: Uint32Array): void {
    const known = this.#raster.get(layer) ?? { neurons, rows: [] };
    known.rows.push(rows);
    this.#raster.set(layer, known);
  }

  raster(): readonly RasterRows[] | undefined {
    if (!this.sequence.hasRaster) return undefined;
    return Array.from(this.#raster, ([layer, { neurons, rows }]) => ({
      layer,
      neurons,
      rows: joined(rows),
    }));
  }
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** How many of the last bytes are a stop sequence; 0 where none ends here. The longest counts. */
export function stopAtEnd(bytes: readonly number[], stops: readonly Uint8Array[]): number {
  return longest(stops, (stop) => (endsWith(bytes, stop, stop.length) ? stop.length : 0));
}

/** How many of the last bytes may be the beginning of a stop sequence: they are not shown yet. */
export function withheldLength(bytes: readonly number[], stops: readonly Uint8Array[]): number {
  return longest(stops, (stop) => {
    for (let count = Math.min(stop.length - 1, bytes.length); count > 0; count--) {
      if (endsWith(bytes, stop, count)) return count;
    }
    return 0;
  });
}

function longest(stops: readonly Uint8Array[], lengthOf: (stop: Uint8Array) => number): number {
  return stops.reduce((most, stop) => Math.max(most, lengthOf(stop)), 0);
}

/** Tells whether the last bytes are the first `count` of a stop sequence. */
function endsWith(bytes: readonly number[], stop: Uint8Array, count: number): boolean {
  const from = bytes.length - count;
  if (from < 0 || count === 0) return false;
  for (let i = 0; i < count; i++) {
    if (bytes[from + i] !== stop[i]) return false;
  }
  return true;
}
