import { expectCount, expectNonNegative, expectWithin } from '../../checks.ts';
import type { Draws } from '../draws.ts';
import { type EventList, inOrder, orderOf } from './event-list.ts';

/** A change of a recording that is drawn for it. The list that is given stays as it is. */
export type EventTransform = (events: EventList, draws: Draws) => EventList;

const LAST_TIME = 2 ** 32 - 1;

/** Moves every time by noise of this standard deviation in microseconds, not before 0; sorts again. */
export function jitterTimes(microseconds: number): EventTransform {
  expectNonNegative('jitterTimes', 'microseconds', microseconds);
  return (events, draws) => {
    const t = events.t.map((time) => {
      const moved = Math.round(time + microseconds * draws.normal());
      return Math.min(LAST_TIME, Math.max(0, moved));
    });
    return inOrder({ ...events, t }, orderOf(t));
  };
}

/** Leaves out each event with this probability. */
export function dropEvents(probability: number): EventTransform {
  expectWithin('dropEvents', 'probability', probability, [0, 1]);
  return (events, draws) => keep(events, () => !draws.chance(probability));
}

/** Moves all events by up to `pixels` in each direction; those that leave the sensor are left out. */
export function shiftEvents(pixels: number): EventTransform {
  expectCount('shiftEvents', 'pixels', pixels, 0);
  return (events, draws) => {
    const by = () => draws.below(2 * pixels + 1) - pixels;
    const [across, down] = [by(), by()];
    const { width, height } = events;
    const left = keep(events, (i) => {
      const [x, y] = [(events.x[i] as number) + across, (events.y[i] as number) + down];
      return x >= 0 && x < width && y >= 0 && y < height;
    });
    return { ...left, x: left.x.map((x) => x + across), y: left.y.map((y) => y + down) };
  };
}

/**
 * Mirrors a recording with these probabilities: left to right (`across`), top to bottom (`down`), and brighter
 * to darker (`polarity`).
 */
export function flipEvents({ across = 0.5, down = 0, polarity = 0 } = {}): EventTransform {
  for (const [name, value] of Object.entries({ across, down, polarity })) {
    expectWithin('flipEvents', name, value, [0, 1]);
  }
  return (events, draws) => {
    const { width, height } = events;
    const [isAcross, isDown, isTurned] = [across, down, polarity].map((p) => draws.chance(p));
    return {
      ...events,
      x: isAcross ? events.x.map((x) => width - 1 - x) : events.x,
      y: isDown ? events.y.map((y) => height - 1 - y) : events.y,
      p: isTurned ? events.p.map((p) => 1 - p) : events.p,
    };
  };
}

function keep(events: EventList, isKept: (index: number) => boolean): EventList {
  return inOrder(
    events,
    Uint32Array.from(events.t, (_, i) => i).filter((i) => isKept(i)),
  );
}
