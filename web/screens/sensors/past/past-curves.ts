import type { ReadingSeries } from '../../../../edge/sensors/contract/reading.ts';
import type { TimeSeriesData } from '../../../widgets/time-chart/time-scale.ts';

export interface CurveNames {
  readonly names: Readonly<Record<'value' | 'min' | 'mean' | 'max', string>>;
  /** Of all spikes, or of those for a rise and those for a fall. */
  readonly spikes: readonly [string] | readonly [on: string, off: string];
}

/** A curve of the readings where no step has two, else those of what lies in each step; and of their spikes. */
export function curvesOf({ readings, points }: ReadingSeries, { names, spikes }: CurveNames) {
  const curve = (name: string, of: 'min' | 'mean' | 'max' | 'on' | 'off'): TimeSeriesData => ({
    name,
    points: points.map((point) => [Date.parse(point.at), point[of]]),
  });
  const isSingle = readings === points.length;
  const [on, off] = spikes;
  return {
    values: isSingle
      ? [curve(names.value, 'mean')]
      : [curve(names.mean, 'mean'), curve(names.min, 'min'), curve(names.max, 'max')],
    spikes: [curve(on, 'on'), ...(off === undefined ? [] : [curve(off, 'off')])],
  };
}

/** A sensor is silent where three of its usual intervals pass; so many steps are that. */
export function silenceOf({ step_ms: stepMs, readings, points }: ReadingSeries): number {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || readings < 2) return 0;
  const intervalMs = (Date.parse(last.at) - Date.parse(first.at)) / (readings - 1);
  return Math.ceil((3 * intervalMs) / stepMs);
}
