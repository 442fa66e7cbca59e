import { sampleToken } from '../../engine/index.ts';
import type { RasterRows, Sequence } from './engine-messages.ts';
import { heldBack, stopAtEnd } from './stop-match.ts';

/** One sequence while it is read and written: which token comes next, and what may be shown. */
export class Writing {
  readonly sequence: Sequence;
  readonly slot: number;
  /** The most sequences read together with it so far. */
  batch = 0;
  /** Tokens read so far, those of the prompt first. */
  read = 0;
  reason: 'stop' | 'length' | undefined;
  readonly #written: number[] = [];
  #shown = 0;
  readonly #raster = new Map<string, { neurons: number; rows: Uint32Array[] }>();

  constructor(sequence: Sequence, slot: number) {
    this.sequence = sequence;
    this.slot = slot;
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
