/** D of counts 0, 1, 2, and 3 and above. */
export type Discounts = readonly [0, number, number, number];

export const discountOf = (discounts: Discounts, count: number): number =>
  discounts[Math.min(count, 3)] as number;

/** Discounts where too few n-grams are rare for an estimate. */
const FEW: Discounts = [0, 0.5, 1, 1.5];

/** Those of the n-grams of one length, from how many occur once, twice, three and four times. */
export function discountsOf(counts: Uint32Array): Discounts {
  const [n1, n2, n3, n4] = [1, 2, 3, 4].map((times) =>
    counts.reduce((sum, count) => sum + Number(count === times), 0),
  ) as [number, number, number, number];
  if (n1 === 0 || n2 === 0 || n3 === 0) return FEW;
  const y = n1 / (n1 + 2 * n2);
  const one = 1 - (2 * y * n2) / n1;
  const two = 2 - (3 * y * n3) / n2;
  const more = 3 - (4 * y * n4) / n3;
  return [0, within(one, 1), within(two, 2), within(more, 3)];
}

/** An estimate beyond its count would make a chance negative; one of 0 would leave nothing for other tokens. */
const within = (value: number, most: number): number => Math.min(Math.max(value, 0.05), most);
