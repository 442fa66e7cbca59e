import { eventList } from 'spikegrid/data';

export const DIRECTIONS = ['right', 'down', 'left', 'up'];

/** Pixels of the sensor in each direction. */
export const SIDE = 16;

const RADIUS = 2.5;
/** Between two frames that are compared. */
const FRAME_MICROSECONDS = 1000;
const FRAMES = 24;

/**
 * Events of a disc that is at one place after another: a pixel that it covers turns brighter (polarity 1), one that
 * it leaves darker (0).
 * @param {readonly { x: number, y: number }[]} places in pixels
 */
export function eventsOfPath(places) {
  /** @type {{ t: number[], x: number[], y: number[], p: number[] }} */
  const events = { t: [], x: [], y: [], p: [] };
  let before = frameOf(places[0]);
  for (const [frame, place] of places.entries()) {
    const now = frameOf(place);
    for (const [pixel, isCovered] of now.entries()) {
      if (isCovered === before[pixel]) continue;
      events.t.push(frame * FRAME_MICROSECONDS);
      events.x.push(pixel % SIDE);
      events.y.push(Math.floor(pixel / SIDE));
      events.p.push(isCovered ? 1 : 0);
    }
    before = now;
  }
  return eventList({ ...events, width: SIDE, height: SIDE });
}

/** @param {{ x: number, y: number }} place */
function frameOf({ x, y }) {
  return Array.from(
    { length: SIDE * SIDE },
    (_, pixel) => Math.hypot((pixel % SIDE) - x, Math.floor(pixel / SIDE) - y) < RADIUS,
  );
}

/**
 * Recordings of discs that cross the sensor, each with its direction.
 * @param {number} count
 * @param {number} seed
 */
export function recordings(count, seed) {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, i) => {
    const label = i % DIRECTIONS.length;
    const angle = (label * Math.PI) / 2 + 0.6 * (random() - 0.5);
    const [speed, x, y] = [0.4 + 0.3 * random(), 6 + 3 * random(), 6 + 3 * random()];
    const places = Array.from({ length: FRAMES }, (_unused, frame) => {
      const far = speed * (frame - FRAMES / 2);
      return { x: x + far * Math.cos(angle), y: y + far * Math.sin(angle) };
    });
    return { events: eventsOfPath(places), label };
  });
}

/**
 * Numbers from 0 to 1, the same for the same seed.
 * @param {number} seed
 */
function randomFrom(seed) {
  let state = (Math.imul(seed, 2654435761) + 12345) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
