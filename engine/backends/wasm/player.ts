import { operandsOf } from '../../graph/kernel.ts';
import { EngineError } from '../../errors.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { wordCount } from '../../graph/tensor.ts';
import { host } from '#wasm-host';
import type { Player } from '../../graph/backend.ts';
import type { Thread } from './host/host.ts';
import { compileProgram, packSchedule, takeArguments } from './compile.ts';
import { allocateMemory, createAllocator, placeTensors } from './memory.ts';
import { bindSchedule, controlWords, type Marks, type PackedSchedule } from './schedule.ts';
import { createTeam, type Part } from './team.ts';
import type { Missing } from './emit/plan.ts';
import { missingFrom } from './generated.ts';
import { exportsOf, type ThreadTask } from './thread.ts';
import { createViews } from './views.ts';

/** State that the players of one backend share. */
interface Engine {
  readonly module: WebAssembly.Module;
  /** The build with every kernel, for programs that call what `module` has not. */
  whole(): Promise<WebAssembly.Module>;
  /** Whether a x + b is rounded once. */
  readonly isRelaxed: boolean;
  readonly threads: number;
  /** Words that a call touches on average from which on threads share a program. */
  readonly sharedFrom: number;
  reportLoss(reason: string): void;
}

/** Lays programs out in a memory of their own and starts the threads that play them. */
export async function createPlayer(
  engine: Engine,
  layout: ParameterLayout,
  programs: readonly Program[],
): Promise<Player> {
  const { memory, addresses, callsOf, schedules, hosted, control, scratch } = layOut(
    engine,
    layout,
    programs,
  );
  const { isRelaxed, threads, sharedFrom, reportLoss } = engine;
  const kind = { isRelaxed, memory: threads > 1 ? 'shared' : 'own' } as const;
  const { module, missing } = await findKernels(engine, programs, schedules);
  const modules = [module, ...(missing.length > 0 ? [await host.emit(missing, kind)] : [])];
  const exports = exportsOf(modules, memory);
  const shared = { modules, memory, control, threads, schedules };
  const crew = await startCrew(
    scratch.slice(1).map((own, index) => ({ ...shared, thread: index + 1, scratch: own })),
  );
  const views = createViews(memory, addresses);
  for (const { tensor, data } of programs.flatMap(({ constants }) => constants)) {
    views.write(tensor, data);
  }
  const parts = new Map<Program, Part>();
  for (const [index, program] of programs.entries()) {
    // Every program has a schedule.
    const schedule = bindSchedule(exports, schedules[index] as PackedSchedule, hosted[index]);
    parts.set(program, { schedule, index, isWorthSharing: wordsPerCall(program) >= sharedFrom });
  }
  const team = createTeam({
    control: { words: new Int32Array(memory.buffer, ...control), threads },
    crew,
    scratch: scratch[0] ?? 0,
    reportLoss,
  });
  const play = (program: Program, times: number, marks?: Marks) => {
    const part = parts.get(program);
    if (!part) throw new EngineError('shape-mismatch', `program ${program.name} was not loaded`);
    team.play(part, times, marks);
  };
  return {
    play: (program, times = 1) => play(program, times),
    async time(program) {
      const callOf = callsOf[programs.indexOf(program)] ?? [];
      const marks = new Float64Array(callOf.length);
      const started = performance.now();
      play(program, 1, marks);
      return timesOf(program, callOf, marks, started);
    },
    write: views.write,
    async read(tensor) {
      // Copied now, as somebody else may write and play while the event loop has its turn.
      const words = views.read(tensor);
      await team.turn();
      return words;
    },
    settled: () => team.turn(),
    close: () => team.close(),
  };
}

/** The build that has what is called, and what is to be emitted beside it. */
async function findKernels(
  { module, whole }: Engine,
  programs: readonly Program[],
  schedules: readonly PackedSchedule[],
) {
  const missing = missingFrom(programs, namesOf(module));
  // A kernel without a name is none of a build: the calling thread runs it.
  const known = namesOf(module, missing).add('');
  if (schedules.every(({ kernels }) => kernels.every((name) => known.has(name)))) {
    return { module, missing };
  }
  const larger = await whole();
  return { module: larger, missing: missingFrom(programs, namesOf(larger)) };
}

function namesOf(module: WebAssembly.Module, missing: readonly Missing[] = []): Set<string> {
  const built = WebAssembly.Module.exports(module).map(({ name }) => name);
  return new Set([...built, ...missing.map(({ variant }) => variant.name)]);
}

/** Starts all threads, or none where one of them cannot be started. */
async function startCrew(tasks: readonly ThreadTask[]): Promise<readonly Thread[]> {
  const starts = await Promise.allSettled(tasks.map((task) => host.spawn(task)));
  const crew = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = starts.find((start) => start.status === 'rejected');
  if (!failed) return crew;
  for (const thread of crew) thread.end();
  throw failed.reason;
}

/** Gives everything its address, and turns the programs into commands on them. */
function layOut({ threads }: Engine, layout: ParameterLayout, programs: readonly Program[]) {
  const allocator = createAllocator();
  const addresses = placeTensors(allocator, layout, programs);
  const compileAt = (shared: number) =>
    programs.map((program) => compileProgram(program, addresses, { shared, threads }));
  // The first time for the sizes, the second for the addresses.
  const measured = compileAt(allocator.end);
  const args = takeArguments(allocator, measured);
  const words = controlWords(Math.max(...measured.map(({ commands }) => commands.length)), threads);
  const control = [allocator.take(4 * words), words] as const;
  const scratchBytes = Math.max(...measured.map((one) => one.scratchBytes));
  const scratch = Array.from({ length: threads }, () => allocator.take(scratchBytes));
  const shared = allocator.take(Math.max(...measured.map((one) => one.sharedBytes)));
  const memory = allocateMemory(allocator.end, threads > 1);
  const compiled = compileAt(shared);
  const schedules: readonly PackedSchedule[] = compiled.map((one, index) =>
    packSchedule(one, memory.buffer, args[index] ?? 0),
  );
  const callsOf = compiled.map(({ callOf }) => callOf);
  const hosted = compiled.map(({ commands }) =>
    commands.map(({ hosted: bind }) => bind?.(memory.buffer)),
  );
  return { memory, addresses, callsOf, schedules, hosted, control, scratch };
}

/** Milliseconds of each call, from the times at which its commands were through. */
function timesOf(
  { calls }: Program,
  callOf: readonly number[],
  marks: Marks,
  started: number,
): Float64Array {
  const times = new Float64Array(calls.length);
  let before = started;
  for (const [command, end] of marks.entries()) {
    const call = callOf[command] ?? 0;
    times[call] = (times[call] ?? 0) + end - before;
    before = end;
  }
  return times;
}

/**
 * Words that a call reads and writes on average: a measure of how long threads wait for each other.
 * State is left out, as it has room for more sequences than a call goes on with.
 */
function wordsPerCall({ calls }: Program): number {
  const operands = calls
    .flatMap(operandsOf)
    .filter(({ tensor, role }) => tensor.block !== 'shared' || role === 'read');
  const words = operands.reduce((sum, { tensor }) => sum + wordCount(tensor), 0);
  return words / Math.max(1, calls.length);
}
