/** One number held against a target, such as what others published. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target: number;
  /** Whether the bar is a ceiling or a floor. */
  readonly better: 'lower' | 'higher';
  /** Results of other systems at the same work, in the same unit, measured in the same run. */
  readonly peers?: Readonly<Record<string, number>>;
  /** Share of right answers, where a speed is worth nothing without it. */
  readonly accuracy?: number;
  /** Memory of the process early and at the end, where a run is long enough to show growth. */
  readonly memory?: { readonly early: MemoryUse; readonly end: MemoryUse };
}

/** One number held against its bar. `docs/bars.md` says what the bars are. */
export interface Measured extends Figure {
  readonly bar: number;
}

/** Bytes of a process at a time. */
export interface MemoryUse {
  readonly seconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
}

/** Prints one line of JSON to standard output, which `npm run bench` collects. */
export function report({ better, ...measured }: Measured | Figure): void {
  const { value, target } = measured;
  const met = better === 'lower' ? value <= target : value >= target;
  console.log(JSON.stringify({ ...measured, met }));
}

/** Tells how far a measurement is, on standard error. */
export function note(text: string): void {
  console.error(`  ${text}`);
}

/** The middle of several measurements. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ];
  return (low + high) / 2;
}
