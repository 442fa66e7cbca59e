/** How much of what was known before counts after another observation. */
const MEMORY = 0.9;

/**
 * Decides how long an idle engine waits for company before it reads the first token.
 *
 * A turn of n sequences takes `t(n) = fixed + n * each`, fitted to the turns so far, the newest counting
 * most. Who comes during a turn waits for its end. Were the turn put off until the next arrival, which
 * is `gap` away, n sequences would lose `gap` and the newcomer would win `t(n) - gap`; so waiting
 * pays while `gap < t(n) / (n + 1)`. Sequences that come later join between two tokens anyway.
 */
export class BatchingWindow {
  readonly #fit = new LineFit();
  #gapMs: number | undefined;
  #lastArrival: number | undefined;

  arrived(now: number): void {
    if (this.#lastArrival !== undefined) {
      const gap = now - this.#lastArrival;
      this.#gapMs = this.#gapMs === undefined ? gap : MEMORY * this.#gapMs + (1 - MEMORY) * gap;
    }
    this.#lastArrival = now;
  }

  took(rows: number, ms: number): void {
    this.#fit.add(rows, ms);
  }

  /** Expected duration of a step with so many sequences; undefined before the first one. */
  turnMs(rows: number): number | undefined {
    return this.#fit.at(rows);
  }

  /** How long to wait now with `waiting` sequences whose first has waited for `waitedMs`. */
  waitMs(waiting: number, waitedMs: number, mostMs: number): number {
    const left = mostMs - waitedMs;
    const turn = this.turnMs(waiting);
    // Nothing is known yet: as long as was asked for.
    if (turn === undefined || this.#gapMs === undefined) return Math.max(0, left);
    return this.#gapMs < turn / (waiting + 1) ? Math.max(0, Math.min(left, this.#gapMs)) : 0;
  }
}

/** A line through weighted observations, the newest of which weigh most. */
class LineFit {
  #weight = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #xy = 0;

  add(x: number, y: number): void {
    this.#weight = MEMORY * this.#weight + 1;
    this.#x = MEMORY * this.#x + x;
    this.#y = MEMORY * this.#y + y;
    this.#xx = MEMORY * this.#xx + x * x;
    this.#xy = MEMORY * this.#xy + x * y;
  }

  at(x: number): number | undefined {
    if (this.#weight === 0) return undefined;
    const [meanX, meanY] = [this.#x / this.#weight, this.#y / this.#weight];
    const spread = this.#xx / this.#weight - meanX ** 2;
    const together = this.#xy / this.#weight - meanX * meanY;
    // Turns of one size alone say nothing of a slope.
    const slope = spread > 1e-9 ? Math.max(0, together / spread) : 0;
    return Math.max(0, meanY + slope * (x - meanX));
  }
}
