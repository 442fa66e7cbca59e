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
/** From here on one word a thread: the epoch of the play it is in, or 0. */
const INSIDE = 4;

/**
 * How often a thread looks before it goes to sleep: about two milliseconds, longer than anything lasts
 * between two steps. A thread that sleeps and wakes all the time is put on the core of the one that wakes
 * it, where the two take turns.
 */
const SPINS = 800_000;
/** A sleeping thread looks up this often, in case the one it waits for is gone. */
const NAP_MS = 20;
/**
 * After so many naps in one place the thread that is waited for is taken for dead: five seconds, which
 * are not counted while the whole machine sleeps.
 */
const PATIENCE = 250;

/** What goes wrong with other threads: one said so, or one is not heard of any more. */
export type Trouble = 'failed' | 'stalled';

/**
 * The control block: its words, and two banks of counters for plays of even and odd epochs. Each command
 * has two words of a bank: the next item to take, and the items that are done.
 */
export interface Control {
  readonly words: Int32Array;
  readonly threads: number;
}

export function controlWords(commands: number, threads: number): number {
  return INSIDE + threads + 4 * commands;
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

/**
 * Wakes the other threads for program `program`, whose counters start from zero; returns the epoch. No
 * thread may still be in the play before the last, which used the same bank.
 */
export function startOthers(control: Control, program: number): number | Trouble {
  const { words, threads } = control;
  const epoch = Atomics.load(words, EPOCH) + 1;
  const before = epoch - 2;
  for (let thread = 1; thread < threads; thread++) {
    const trouble = before > 0 && waitWhile(words, INSIDE + thread, before, before + 1);
    if (trouble) return trouble;
  }
  const bank = bankOf(control, epoch);
  words.fill(0, bank, bank + bankWords(control));
  Atomics.store(words, PROGRAM, program);
  Atomics.store(words, EPOCH, epoch);
  Atomics.notify(words, EPOCH);
  return epoch;
}

function bankWords({ words, threads }: Control): number {
  return (words.length - INSIDE - threads) / 2;
}

function bankOf(control: Control, epoch: number): number {
  return INSIDE + control.threads + (epoch & 1) * bankWords(control);
}

/** What a thread takes part with. */
export interface Share {
  readonly control: Control;
  readonly epoch: number;
  /** Address of its own scratch memory. */
  readonly scratch: number;
  readonly marks?: Marks | undefined;
}

/**
 * Plays this thread's share: takes items of a command until none is left, then waits until all are done,
 * by whoever took them. A thread that comes late finds nothing left to take and holds nobody up.
 */
export function playShare(
  schedule: Schedule,
  { control, epoch, scratch, marks }: Share,
): Trouble | undefined {
  const { kernels, items, grains, args } = schedule;
  const { words } = control;
  const bank = bankOf(control, epoch);
  for (let c = 0; c < kernels.length; c++) {
    // Every command has a kernel and its numbers.
    const kernel = kernels[c] as Kernel;
    const count = items[c] as number;
    const grain = grains[c] as number;
    const at = args[c] as number;
    const cursor = bank + 2 * c;
    for (;;) {
      const first = Atomics.add(words, cursor, grain);
      if (first >= count) break;
      const last = Math.min(count, first + grain);
      kernel(at, first, last, scratch);
      const done = Atomics.add(words, cursor + 1, last - first) + last - first;
      if (done === count) Atomics.notify(words, cursor + 1);
    }
    const trouble = waitWhile(words, cursor + 1, 0, count);
    if (trouble) return trouble;
    if (marks) marks[c] = performance.now();
  }
  return undefined;
}

/** Waits while a word is at least `from` and below `to`. Makes no garbage: it is called for every command. */
function waitWhile(words: Int32Array, at: number, from: number, to: number): Trouble | undefined {
  for (let spin = 0; spin < SPINS; spin++) {
    const value = Atomics.load(words, at);
    if (value < from || value >= to) return undefined;
  }
  for (let naps = 0; ;) {
    const value = Atomics.load(words, at);
    if (value < from || value >= to) return undefined;
    if (Atomics.load(words, FAILED) !== 0) return 'failed';
    if (naps > PATIENCE) return 'stalled';
    if (Atomics.wait(words, at, value, NAP_MS) === 'timed-out') naps++;
  }
}

/** Tells every thread that this one cannot go on. */
export function reportFailure({ words }: Control): void {
  Atomics.store(words, FAILED, 1);
}

/** A play that a thread has entered. */
export interface Play {
  readonly epoch: number;
  readonly program: number;
}

/** Waits for a play after `epoch` and enters it; the newest, where several have begun meanwhile. */
export function enterPlay({ words }: Control, thread: number, epoch: number): Play {
  for (;;) {
    for (let spin = 0; Atomics.load(words, EPOCH) === epoch; spin++) {
      if (spin > SPINS) Atomics.wait(words, EPOCH, epoch);
    }
    const begun = Atomics.load(words, EPOCH);
    Atomics.store(words, INSIDE + thread, begun);
    // A play that began before this thread said where it is may count on its bank being free.
    if (Atomics.load(words, EPOCH) === begun) {
      return { epoch: begun, program: Atomics.load(words, PROGRAM) };
    }
    leavePlay({ words, threads: 0 }, thread);
  }
}

export function leavePlay({ words }: Control, thread: number): void {
  Atomics.store(words, INSIDE + thread, 0);
  Atomics.notify(words, INSIDE + thread);
}
