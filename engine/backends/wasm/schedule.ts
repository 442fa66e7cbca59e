/** A kernel of the module: works on the items from `first` to before `last`. */
export type Kernel = (args: number, first: number, last: number, scratch: number) => void;

/** A program as a thread plays it: commands one after another, each a kernel over a number of items. */
export interface Schedule {
  readonly kernels: readonly Kernel[];
  /** Items of each command. */
  readonly items: Int32Array;
  /** Items that a thread takes at a time. */
  readonly grains: Int32Array;
  /** Where the arguments of each command lie. */
  readonly args: Uint32Array;
}

/** The same as numbers and names, as it is sent to another thread. */
export interface PackedSchedule extends Omit<Schedule, 'kernels'> {
  readonly kernels: readonly string[];
}

/** Words of the control block that all threads see. */
const EPOCH = 0;
const PROGRAM = 1;
const FAILED = 2;
/**
 * Behind these lie two banks, for plays of even and odd epochs: a thread may still be leaving the last
 * command of a play when the next one clears its counters. Each command has two words of a bank: the
 * next item to take, and the threads that are through.
 */
const FIRST_BANK = 4;

/** How often a thread looks before it goes to sleep: about 50 microseconds. */
const SPINS = 20_000;
/** A sleeping thread looks up this often, in case the one it waits for is gone. */
const NAP_MS = 20;
/**
 * After so many naps in one command the thread that is waited for is taken for dead: five seconds, which
 * are not counted while the whole machine sleeps.
 */
const PATIENCE = 250;

export function controlWords(commands: number): number {
  return FIRST_BANK + 4 * commands;
}

export function bindSchedule(exports: WebAssembly.Exports, packed: PackedSchedule): Schedule {
  // Every export of the module but its memory is a kernel.
  const kernels = packed.kernels.map((name) => exports[name] as Kernel);
  return { ...packed, kernels };
}

/** Where a play stops its watch: the time at which each command was through. */
export type Marks = Float64Array;

/** Plays a schedule on this thread alone. */
export function playAlone(schedule: Schedule, scratch: number, marks?: Marks): void {
  const { kernels, items, args } = schedule;
  for (let c = 0; c < kernels.length; c++) {
    // Every command has a kernel.
    (kernels[c] as Kernel)(args[c] ?? 0, 0, items[c] ?? 0, scratch);
    if (marks) marks[c] = performance.now();
  }
}

/** Wakes the other threads for program `program`, whose counters start from zero; returns the epoch. */
export function startOthers(control: Int32Array, program: number): number {
  const epoch = Atomics.load(control, EPOCH) + 1;
  const bank = bankOf(control, epoch);
  control.fill(0, bank, bank + (control.length - FIRST_BANK) / 2);
  Atomics.store(control, PROGRAM, program);
  Atomics.store(control, EPOCH, epoch);
  Atomics.notify(control, EPOCH);
  return epoch;
}

function bankOf(control: Int32Array, epoch: number): number {
  return FIRST_BANK + (epoch & 1) * ((control.length - FIRST_BANK) / 2);
}

/** What a thread takes part with. */
export interface Share {
  readonly control: Int32Array;
  readonly threads: number;
  readonly epoch: number;
  /** Address of its own scratch memory. */
  readonly scratch: number;
  readonly marks?: Marks;
}

/**
 * Plays this thread's share: takes items until a command has none left, then waits for the others.
 * Returns the name of what went wrong, if another thread failed or is gone.
 */
export function playShare(
  schedule: Schedule,
  { control, threads, epoch, scratch, marks }: Share,
): 'failed' | 'stalled' | undefined {
  const { kernels, items, grains, args } = schedule;
  const bank = bankOf(control, epoch);
  for (let c = 0; c < kernels.length; c++) {
    // Every command has a kernel and its numbers.
    const kernel = kernels[c] as Kernel;
    const count = items[c] as number;
    const grain = grains[c] as number;
    const at = args[c] as number;
    const cursor = bank + 2 * c;
    for (;;) {
      const first = Atomics.add(control, cursor, grain);
      if (first >= count) break;
      kernel(at, first, Math.min(count, first + grain), scratch);
    }
    const trouble = meet(control, cursor + 1, threads);
    if (trouble) return trouble;
    if (marks) marks[c] = performance.now();
  }
  return undefined;
}

/** Waits until all threads are through a command. */
function meet(control: Int32Array, at: number, threads: number): 'failed' | 'stalled' | undefined {
  if (Atomics.add(control, at, 1) + 1 === threads) {
    Atomics.notify(control, at);
    return undefined;
  }
  for (let spin = 0; spin < SPINS; spin++) {
    if (Atomics.load(control, at) >= threads) return undefined;
  }
  for (let naps = 0; ;) {
    const arrived = Atomics.load(control, at);
    if (arrived >= threads) return undefined;
    if (Atomics.load(control, FAILED) !== 0) return 'failed';
    if (naps > PATIENCE) return 'stalled';
    if (Atomics.wait(control, at, arrived, NAP_MS) === 'timed-out') naps++;
  }
}

/** Tells every thread that this one cannot go on. */
export function reportFailure(control: Int32Array): void {
  Atomics.store(control, FAILED, 1);
}

/** Waits for the play after `epoch`; returns its epoch and its program. */
export function awaitPlay(control: Int32Array, epoch: number): { epoch: number; program: number } {
  for (let spin = 0; Atomics.load(control, EPOCH) === epoch; spin++) {
    if (spin > SPINS) Atomics.wait(control, EPOCH, epoch);
  }
  return { epoch: Atomics.load(control, EPOCH), program: Atomics.load(control, PROGRAM) };
}
