/** The x values at the ends of what is in sight. */
export type PlotRange = readonly [from: number, to: number];

/** The visible range, all of it where null, and the handler for dragging over a range. */
export interface PlotZoom {
  readonly range: PlotRange | null;
  readonly choose: (range: PlotRange) => void;
}
