import { sampleToken, type Sampling } from './sampling.ts';
import { heldBack, stopAtEnd } from './stop-match.ts';

/** A text to be written, in tokens. */
export interface Sequence {
  /** At least one. */
  readonly prompt: Uint32Array;
  /** Tokens to write at most. */
  readonly most: number;
  readonly sampling: Sampling;
  /** The text ends before the first of these. */
  readonly stops: readonly Uint32Array[];
  /** Whether each token is told as it is written, or all of them at the end. */
  readonly isStreamed: boolean;
  /** Whether every spike is told, for a picture. */
  readonly hasRaster: boolean;
}

/** When each neuron of a layer fired: a packed row for each time step of each token read. */
export interface RasterRows {
  readonly layer: string;
  readonly neurons: number;
  readonly rows: Uint32Array;
}

/** One sequence while it is read and written: which token comes next, and what may be shown. */
export class Writing<S extends Sequence = Sequence> {
  readonly sequence: S;
  /** Tokens read so far, those of the prompt first. */
  read = 0;
  reason: 'stop' | 'length' | undefined;
  readonly #written: number[] = [];
  #shown = 0;
  readonly #raster = new Map<string, { neurons: number; rows: Uint32Array[] }>();

  constructor(sequence: S) {
    this.sequence = sequence;
  }

  /** The token to read next. */
  get next(): number {
    const { prompt } = this.sequence;
    return prompt[this.read] ?? this.#written[this.read - prompt.length] ?? 0;
  }

  /** Whether the token after the next one is to be chosen. */
  get needsLogits(): boolean {
    return this.read >= this.sequence.prompt.length - 1 && this.sequence.most > 0;
  }

  /** The next token has been read; `logits` choose the one after it, where that is needed. */
  advance(logits: Float32Array | undefined): void {
    const { prompt, most, sampling, stops } = this.sequence;
    this.read += 1;
    if (this.read < prompt.length) return;
    if (logits && most > 0) {
      this.#written.push(sampleToken(logits, sampling, this.#written.length));
      const stop = stopAtEnd(this.#written, stops);
      if (stop > 0) {
        this.#written.length -= stop;
        this.reason = 'stop';
        return;
      }
    }
    if (this.#written.length >= most) this.reason = 'length';
  }

  /** Tokens that may be shown and were not yet. */
  take(): readonly number[] {
    const isOver = this.reason !== undefined;
    const held = isOver ? 0 : heldBack(this.#written, this.sequence.stops);
    const end = this.sequence.isStreamed || isOver ? this.#written.length - held : this.#shown;
    const tokens = this.#written.slice(this.#shown, end);
    this.#shown = Math.max(this.#shown, end);
    return tokens;
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
