const [RANGE, HALF] = [2 ** 32, 2 ** 31];

/**
 * Times of a clock of 32 bits as numbers that go on where it begins again at 0, after 71 minutes. A time that
 * lies a little before the last one stays before it.
 */
export function createClock(): (time: number) => number {
  let [before, passed] = [0, 0];
  return (time) => {
    if (before - time > HALF) passed += RANGE;
    before = time;
    return time + passed;
  };
}
