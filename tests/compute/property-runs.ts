const isFull = process.env['SPIKEGRID_TESTS'] === 'full';
/** In `npm test` one run of so many. */
const PART = 3;

/**
 * How often a property is tried that takes long: as often as it says in `npm run test:full`, less often in
 * `npm test`. `SPIKEGRID_PROPERTY_RUNS=100` looks further.
 */
export function runsOf(full: number): number {
  return Number(process.env['SPIKEGRID_PROPERTY_RUNS'] ?? (isFull ? full : Math.ceil(full / PART)));
}
