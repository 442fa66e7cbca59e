const UNITS = ['pJ', 'nJ', 'µJ', 'mJ', 'J'] as const;

/** An energy in the unit that suits it: 12,300 pJ are 12.3 nJ. */
export function energyIn(picojoules: number): { value: number; unit: (typeof UNITS)[number] } {
  const power = picojoules > 0 ? Math.floor(Math.log10(picojoules) / 3) : 0;
  const index = Math.min(UNITS.length - 1, Math.max(0, power));
  return { value: picojoules / 1000 ** index, unit: UNITS[index] ?? 'J' };
}
