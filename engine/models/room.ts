import { EngineError } from '../errors.ts';
import type { TrainingPlan } from '../train/plan-programs.ts';
import type { RunSettings } from '../settings/run-settings.ts';

/** Where a run is to find room. */
interface Room {
  /** Bytes that it may take. */
  readonly freeBytes: number;
  /** Their owner, for the message. */
  readonly place: string;
  /** Settings that somebody chose, by their names on the wire: they are named before others. */
  readonly given?: readonly string[];
}

/** Margin of a plan for allocators and everything beside the run. */
const MARGIN = 1.05;
/** Values below one that may be no structure: a width that its heads do not divide. */
const NEIGHBOURS = 64;

/**
 * Refuses a run that does not fit before anything of it is made: EngineError `out-of-memory` that names the
 * setting, what the run takes, what there is, and the largest value that fits.
 */
export function requireRoom<S extends RunSettings>(
  plan: (settings: S) => TrainingPlan,
  settings: S,
  { freeBytes, place, given = [] }: Room,
): void {
  const needed = (those: S) => Math.ceil(plan(those).memoryBytes * MARGIN);
  const bytes = needed(settings);
  if (bytes <= freeBytes) return;
  const fits = (those: S) => needed(those) <= freeBytes;
  const numbers = numbersOf(settings);
  const chosen = numbers.filter(([name]) => given.includes(name));
  const ordered = chosen.concat(numbers.filter(([name]) => !given.includes(name)));
  const [first = BATCH, value = settings.batch] = chosen[0] ?? numbers[0] ?? [];
  for (const [name, now] of ordered) {
    const most = largestFitting((number) => withNumber(settings, name, number), now, fits);
    if (most === undefined) continue;
    refuse(
      `${name} ${now} makes the run need ${inUnits(bytes)}: ${place} has ${inUnits(freeBytes)} ` +
        `free, into which ${name} ${most} fits`,
    );
  }
  refuse(
    `${first} ${value} makes the run need ${inUnits(bytes)}: ${place} has ${inUnits(freeBytes)} ` +
      'free, and no single setting made smaller lets it fit',
  );
}

const BATCH = 'batch_size';

/** Whole numbers among the settings, the batch first: most memory goes with it, and nothing else does. */
function numbersOf({ batch, fields }: RunSettings): (readonly [string, number])[] {
  const others = Object.entries(fields).filter(
    (entry): entry is [string, number] => Number.isInteger(entry[1]) && Number(entry[1]) > 1,
  );
  return [[BATCH, batch], ...others];
}

function withNumber<S extends RunSettings>(settings: S, name: string, value: number): S {
  if (name === BATCH) return { ...settings, batch: value };
  return { ...settings, fields: { ...settings.fields, [name]: value } };
}

/** The largest number below `from` that fits; undefined where none does. */
function largestFitting<S>(
  settingsWith: (value: number) => S,
  from: number,
  fits: (settings: S) => boolean,
): number | undefined {
  let [least, above, best] = [0, from, undefined as number | undefined];
  while (above - least > 1) {
    const middle = Math.floor((least + above) / 2);
    const found = fittingBelow(settingsWith, middle, fits);
    if (found === undefined) above = middle;
    else [least, best] = [middle, Math.max(best ?? 0, found)];
  }
  return best;
}

/** The nearest number at or below one that is a structure, where that fits. */
function fittingBelow<S>(
  settingsWith: (value: number) => S,
  from: number,
  fits: (settings: S) => boolean,
): number | undefined {
  for (let value = from; value > Math.max(0, from - NEIGHBOURS); value--) {
    try {
      return fits(settingsWith(value)) ? value : undefined;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
  }
  return undefined;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

function inUnits(bytes: number): string {
  const power = Math.max(0, Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10)));
  return `${Number((bytes / 2 ** (10 * power)).toPrecision(3))} ${UNITS[power]}`;
}

function refuse(message: string): never {
  throw new EngineError('out-of-memory', message);
}
