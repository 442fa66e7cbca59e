/** Limits of a query, checked before anything is read. */
export const PROMQL_LIMITS = {
  characters: 2048,
  /** Parentheses, calls and operators within each other. */
  depth: 32,
  selectors: 16,
  rangeS: 7 * 86_400,
  offsetS: 30 * 86_400,
  /** Times a query over a range is evaluated at. */
  steps: 1500,
  /** Series of one selector, or of a result. */
  series: 1000,
  /** Values that the selectors of a query read, over all steps. */
  points: 300_000,
} as const;

/** A query that is refused, and where: `at` counts its characters from 1. */
export class PromqlError extends SyntaxError {
  override readonly name = 'PromqlError';
  readonly at: number;

  constructor(why: string, at: number) {
    super(`${why}, at character ${at}`);
    this.at = at;
  }
}
