/** Whether a row without a value interrupts a curve, or the curve was only not measured there. */
export type Gaps = 'leave' | 'join';

/** The x values at the ends of what is in sight. */
export type PlotRange = readonly [from: number, to: number];

/** What is in sight, all of it where null, and what is told when somebody drags over a stretch. */
export interface PlotZoom {
  readonly range: PlotRange | null;
  readonly choose: (range: PlotRange) => void;
}
