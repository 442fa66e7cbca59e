/**
 * The tests of the engine run twice: `npm test` runs every kernel on every backend at the sizes and lengths that
 * guard most for the time they take, `npm run test:full` the whole product of sizes, variants and lengths.
 */
export const isFull = process.env['SPIKEGRID_TESTS'] === 'full';

/** The first in `npm run test:full`, the second in `npm test`. */
export const extent = <T>(full: T, short: T): T => (isFull ? full : short);
