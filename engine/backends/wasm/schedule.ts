/** A kernel of the module: works on the items from `first` to before `last`. */
export type Kernel = (args: number, first: number, last: number, scratch: number) => void;

/** A program as a thread plays it: commands one after another, each a kernel over a number of items. */
export interface Schedule {
  /** None where another thread has to run the command. */
  readonly kernels: readonly (Kernel | undefined)[];
  /** Items of each command. */
  readonly items: Int32Array;
  /** Items that a thread takes at a time. */
  readonly grains: Int32Array;
  /** Address of the arguments of each command. */
  readonly args: Uint32Array;
}

/** The same as numbers and names, as it is sent to another thread. */
export interface PackedSchedule extends Omit<Schedule, 'kernels'> {
  readonly kernels: readonly string[];
}

/** Words of the control block that all threads see. */
const EPOCH = 0;
const FAILED = 1;
/** Threads that are through with a run of a play that has several, and the runs that all are through with. */
const ARRIVED = 2;
const RELEASED = 3;
/** Program and number of runs, two words each for plays of even and odd epochs. */
const PLAYS = 4;
/** From here on one word a thread: the epoch of the play it is in, or 0. */
const INSIDE = 8;

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

/** Failures of other threads: one reported an error, or one does not respond. */
type Trouble = 'failed' | 'stalled';

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

/** Finds the kernels of a schedule; `hosted` has those that only the calling thread can run, by command. */
export function bindSchedule(
  exports: WebAssembly.Exports,
  packed: PackedSchedule,
  hosted: readonly (Kernel | undefined)[] = [],
): Schedule {
  // A command names an export of the module, or a kernel that the calling thread runs.
  const kernels = packed.kernels.map(
    (name, command) => hosted[command] ?? (exports[name] as Kernel | undefined),
  );
  return { ...packed, kernels };
}

/** Time at which each command of a play finished. */
export type Marks = Float64Array;

/** Plays a schedule on this thread alone. */
export function playAlone(schedule: Schedule, scratch: number, times: number, marks?: Marks): void {
  const { kernels, items, args } = schedule;
  for (let run = 0; run < times; run++) {
    for (let c = 0; c < kernels.length; c++) {
      // Every command has a kernel on the calling thread.
      (kernels[c] as Kernel)(args[c] ?? 0, 0, items[c] ?? 0, scratch);
      if (marks) marks[c] = performance.now();
    }
  }
}

/**
 * Wakes the other threads for runs of a program, whose counters start from zero; returns the epoch. No
 * thread may still be in the play before the last, which used the same bank.
 */
export function startOthers(control: Control, program: number, times: number): number | Trouble {
  const { words, threads } = control;
  const epoch = Atomics.load(words, EPOCH) + 1;
  const before = epoch - 2;
  for (let thread = 1; thread < threads; thread++) {
    const trouble = before > 0 && waitWhile(words, INSIDE + thread, before, before + 1);
    if (trouble) return trouble;
  }
  clearBank(control, epoch);
  Atomics.store(words, playAt(epoch), program);
  Atomics.store(words, playAt(epoch) + 1, times);
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

function clearBank(control: Control, epoch: number): void {
  const bank = bankOf(control, epoch);
  control.words.fill(0, bank, bank + bankWords(control));
}

function playAt(epoch: number): number {
  return PLAYS + 2 * (epoch & 1);
}

/** A thread's part in a play. */
interface Share {
  readonly control: Control;
  readonly epoch: number;
  readonly times: number;
  /** Address of its own scratch memory. */
  readonly scratch: number;
  readonly marks?: Marks | undefined;
}

/**
 * Plays this thread's share of every run. A thread that comes late to a single run holds nobody up; of
 * several, each begins when all threads are through with the one before, as they share its counters.
 */
export function playShare(schedule: Schedule, share: Share): Trouble | undefined {
  if (share.times === 1) return playRun(schedule, share);
  for (let run = 0; run < share.times; run++) {
    const trouble = playRun(schedule, share) ?? meetOthers(share);
    if (trouble) return trouble;
  }
  return undefined;
}

/** Waits for all threads; the last to come clears the counters before it lets the others go on. */
function meetOthers({ control, epoch }: Share): Trouble | undefined {
  const { words, threads } = control;
  const released = Atomics.load(words, RELEASED);
  if (Atomics.add(words, ARRIVED, 1) < threads - 1) {
    return waitWhile(words, RELEASED, released, released + 1);
  }
  clearBank(control, epoch);
  Atomics.store(words, ARRIVED, 0);
  // Wraps around with the words: only a change is waited for.
  Atomics.store(words, RELEASED, (released + 1) | 0);
  Atomics.notify(words, RELEASED);
  return undefined;
}

/** Takes items of a command until none is left, then waits until all are done, on whichever thread. */
function playRun(
  schedule: Schedule,
  { control, epoch, scratch, marks }: Share,
): Trouble | undefined {
  const { kernels, items, grains, args } = schedule;
  const { words } = control;
  const bank = bankOf(control, epoch);
  for (let c = 0; c < kernels.length; c++) {
    const kernel = kernels[c];
    // Every command has its numbers.
    const count = items[c] as number;
    const grain = grains[c] as number;
    const at = args[c] as number;
    const cursor = bank + 2 * c;
    for (;;) {
      const first = kernel ? Atomics.add(words, cursor, grain) : count;
      if (!kernel || first >= count) break;
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
    if (isSame(words, at, value)) naps++;
  }
}

/** Sleeps while a word has this value, for a nap at most; returns whether it still has. */
function isSame(words: Int32Array, at: number, value: number): boolean {
  if (maySleep()) return Atomics.wait(words, at, value, NAP_MS) === 'timed-out';
  const end = performance.now() + NAP_MS;
  while (Atomics.load(words, at) === value) if (performance.now() > end) return true;
  return false;
}

let sleeps: boolean | undefined;

/** The thread of a page's window may not: it has to look again and again. */
function maySleep(): boolean {
  if (sleeps === undefined) {
    try {
      // It has another value, so that this returns at once.
      sleeps = Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1) === 'not-equal';
    } catch {
      sleeps = false;
    }
  }
  return sleeps;
}

/** Tells every thread that this one cannot go on. */
export function reportFailure({ words }: Control): void {
  Atomics.store(words, FAILED, 1);
}

/** A play that a thread has entered. */
export interface Play {
  readonly epoch: number;
  readonly program: number;
  /** How often the program is run. */
  readonly times: number;
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
      // These words keep until two plays later, which this thread has to leave this one for.
      const at = playAt(begun);
      return { epoch: begun, program: Atomics.load(words, at), times: Atomics.load(words, at + 1) };
    }
    leavePlay({ words, threads: 0 }, thread);
  }
}

export function leavePlay({ words }: Control, thread: number): void {
  Atomics.store(words, INSIDE + thread, 0);
  Atomics.notify(words, INSIDE + thread);
}
