/** The resolutions that metrics are stored at: samples, then rollups of a minute, then of 15 minutes. */
export const TIERS = {
  raw: 0,
  minute: 1,
  quarter: 2,
  /** The newest sample of every series, for a quick start. */
  latest: 3,
} as const;
export type Tier = (typeof TIERS)[keyof typeof TIERS];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The length of one block of a tier; raw samples are in blocks of a minute. */
export const LENGTH_MS = { raw: MINUTE_MS, minute: MINUTE_MS, quarter: 15 * MINUTE_MS } as const;

/** The retention of a tier. */
export const RETENTION_MS = { raw: HOUR_MS, minute: DAY_MS, quarter: 30 * DAY_MS } as const;

/** The extra retention until the next cleanup, so that a late 15-minute rollup still finds its minutes. */
export const RETENTION_SLACK_MS = 15 * MINUTE_MS;

export type Resolution = keyof typeof LENGTH_MS;

export const startOf = (at: number, lengthMs: number): number =>
  Math.floor(at / lengthMs) * lengthMs;

/** The grid that windows of a resolution are aligned to; raw samples allow any. */
export const gridMs = (resolution: Resolution): number =>
  resolution === 'raw' ? 1 : LENGTH_MS[resolution];

/**
 * The resolution for a range in steps: the coarsest whose grid divides the step and that reaches back far
 * enough; otherwise the finest that does, whose grid becomes the step.
 */
export function resolutionFor(range: {
  readonly from: number;
  readonly stepMs: number;
  readonly now: number;
}): Resolution {
  const reaching = (['raw', 'minute', 'quarter'] as const).filter(
    (tier) => range.from >= range.now - RETENTION_MS[tier] - RETENTION_SLACK_MS,
  );
  const fitting = reaching.filter((tier) => range.stepMs % gridMs(tier) === 0);
  return fitting.at(-1) ?? reaching[0] ?? 'quarter';
}
