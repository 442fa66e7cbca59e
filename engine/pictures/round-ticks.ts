/** The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below `raw`. */
export function roundStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= raw) ?? 10;
  return factor * power;
}

/** The multiples of `step` from `low` to `high`, free of the dust of binary fractions. */
export function multiplesOf(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.max(0, Math.floor(high / step + 1e-9) - first + 1);
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
