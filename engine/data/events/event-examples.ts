import { refuseSetting } from '../../checks.ts';
import { drawsFrom } from '../draws.ts';
import type { Examples } from '../examples.ts';
import type { EventTransform } from './augment-events.ts';
import { type BinningRule, binEvents, binnedShape } from './bin-events.ts';
import type { EventList } from './event-list.ts';

/** A recording with its class. */
interface LabelledEvents {
  readonly events: EventList;
  readonly label: number;
}

/**
 * Recordings of one sensor as examples `[steps][channels x height x width]`, binned when a batch asks for them;
 * in training after the transforms. Throws EngineError `invalid-setting` for a rule without `steps`, for no
 * recordings and for recordings of different sensors.
 */
export function eventExamples(
  recordings: readonly LabelledEvents[],
  rule: BinningRule & { readonly steps: number },
  transforms: readonly EventTransform[] = [],
): Examples {
  const [first] = recordings;
  if (!first) return refuseSetting('eventExamples: there are no recordings, expected at least one');
  const { width, height } = first.events;
  for (const [i, { events, label }] of recordings.entries()) {
    if (events.width !== width || events.height !== height) {
      const found = `${events.width} x ${events.height}`;
      refuseSetting(`eventExamples: recording ${i} is ${found}, expected ${width} x ${height}`);
    }
    if (!Number.isInteger(label) || label < 0) {
      refuseSetting(`eventExamples: label ${i} is ${label}, expected a whole number of at least 0`);
    }
  }
  const [steps, ...axes] = binnedShape(first.events, rule);
  const values = axes.reduce((product, axis) => product * axis, 1);
  return {
    count: recordings.length,
    frames: steps,
    width: values,
    classes: recordings.reduce((max, { label }) => Math.max(max, label + 1), 0),
    label: (example) => recordings[example]?.label ?? 0,
    write(example, { inputs, rows, row }, alteration) {
      let events = recordings[example]?.events ?? first.events;
      const draws = alteration && drawsFrom(alteration);
      if (draws) for (const transform of transforms) events = transform(events, draws);
      const { data } = binEvents(events, rule);
      for (let step = 0; step < steps; step++) {
        const frame = data.subarray(step * values, (step + 1) * values);
        inputs.set(frame, (step * rows + row) * values);
      }
    },
  };
}
