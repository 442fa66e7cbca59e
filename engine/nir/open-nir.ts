import type { Backend, Player } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import { wordCount } from '../graph/tensor.ts';
import { createPromiseQueue } from '../promise-queue.ts';
import type { NirGraph, Shape } from './graph.ts';
import type { Discretisation } from './neurons.ts';
import { type NirPlan, planNir } from './plan.ts';
import { sizeOf } from './shapes.ts';
import { noParameters, type NirProgram, type SignalParts, traceNir } from './trace.ts';

/** Size of a run and of a time step. */
export interface NirOptions extends Discretisation {
  /** Time steps of a run. */
  readonly steps: number;
  /** Sequences side by side; 1 if absent. */
  readonly rows?: number;
  /** Nodes to record besides the Outputs. */
  readonly record?: readonly string[];
}

/** Signals by the name of their node, `[steps][rows][size]`. */
export type NirSignals = Readonly<Record<string, Float32Array>>;

/** A network of the neuromorphic intermediate representation on a device. */
export interface NirNetwork {
  /** Shapes of one step of one sequence, by the names of the Inputs. */
  readonly inputs: ReadonlyMap<string, Shape>;
  /** Shapes of the results of a run, likewise. */
  readonly outputs: ReadonlyMap<string, Shape>;
  readonly steps: number;
  /** Whether a loop makes the network run step by step instead of layer by layer. */
  readonly isRecurrent: boolean;
  /**
   * Runs the network from its initial state. An input is `[steps][rows][size]`, or `[rows][size]` to be
   * repeated in every step. Neurons that fire give 1 and 0, others their membranes. Throws EngineError
   * `shape-mismatch` and `invalid-setting` for inputs that are missing, of another size or not finite.
   */
  run(inputs: NirSignals): Promise<NirSignals>;
  close(): void;
}

const MAX_STEPS = 1 << 20;
const MAX_ROWS = 1 << 16;
/** Signals of a whole run. */
const SIGNAL_BYTES = 2 ** 31;
/** Bytes of signals that one play may hold; a longer run is several plays. */
const PLAY_BYTES = 2 ** 26;
/** Steps that are unrolled in one submission of a network with loops, and its limit of nodes. */
const UNROLLED = 32;
const MAX_NODES = 4096;

/**
 * Plans a network, traces its program and loads it on a device. Throws as `planNir`, and `invalid-setting`
 * for invalid options.
 */
export async function openNir(
  backend: Backend,
  graph: NirGraph,
  options: NirOptions,
): Promise<NirNetwork> {
  const { steps, rows = 1, record = [] } = options;
  checkWhole('steps', steps, MAX_STEPS);
  checkWhole('rows', rows, MAX_ROWS);
  const plan = planNir(graph, options);
  const known = new Map(plan.nodes.map((node) => [node.name, node]));
  for (const name of record) {
    if (!known.has(name))
      refuse(`there is no node ${name} to record: expected ${[...known.keys()].join(', ')}`);
  }
  checkSignals(plan, { steps, rows, record });
  const play = playOf(plan, steps, rows);
  const traced = traceNir(plan, { ...play, rows, record: new Set(record) });
  const player = await backend.load(noParameters, [traced.program]);
  const shapesOf = (names: Iterable<string>) =>
    new Map([...names].map((name) => [name, known.get(name)?.output ?? []]));
  const session: Session = { player, traced, steps, rows, part: play.steps };
  // Runs share the membranes.
  const enqueue = createPromiseQueue();
  return {
    inputs: shapesOf(traced.inputs.keys()),
    outputs: shapesOf(traced.outputs.keys()),
    steps,
    isRecurrent: plan.late.size > 0,
    run: (inputs) => enqueue(() => run(session, inputs)),
    close: () => player.close(),
  };
}

/** As many steps as fit go layer by layer; a loop is unrolled, as it goes step by step. */
function playOf({ nodes, late }: NirPlan, steps: number, rows: number) {
  const numbers = nodes.reduce((sum, { output }) => sum + sizeOf(output), 0);
  const fitting = Math.floor(PLAY_BYTES / (4 * rows * numbers));
  const isRecurrent = late.size > 0;
  const max = isRecurrent ? Math.min(UNROLLED, Math.floor(MAX_NODES / nodes.length)) : fitting;
  const together = Math.max(1, Math.min(steps, max));
  return isRecurrent ? { passes: together, steps: 1 } : { passes: 1, steps: together };
}

interface Session {
  readonly player: Player;
  readonly traced: NirProgram;
  readonly steps: number;
  readonly rows: number;
  /** Time steps of each part of a signal. */
  readonly part: number;
}

/** A signal of the whole run and the parts of it that a play holds. */
interface Track {
  readonly name: string;
  readonly parts: SignalParts;
  readonly data: Float32Array;
  /** Numbers of a part. */
  readonly size: number;
}

async function run(session: Session, inputs: NirSignals): Promise<NirSignals> {
  const { player, traced, steps, part } = session;
  const given = checkInputs(session, inputs);
  const tracks = [...traced.outputs].map(([name, parts]): Track => {
    const size = sizeOfPart(parts);
    return { name, parts, size, data: new Float32Array(steps * (size / part)) };
  });
  for (const { tensor, initial } of traced.states) player.write(tensor, initial);
  const passes = tracks[0]?.parts.length ?? 1;
  for (let first = 0; first < steps; first += passes * part) {
    for (const track of given) writeParts(player, track, first / part);
    player.play(traced.program);
    await Promise.all(tracks.map((track) => readParts(player, track, first / part)));
  }
  return Object.fromEntries(tracks.map(({ name, data }) => [name, data]));
}

/** Writes the parts of a submission that begins with part `first` of the run, padded with zeros. */
function writeParts(player: Player, { parts, data, size }: Track, first: number): void {
  for (const [i, tensor] of parts.entries()) {
    const here = data.subarray((first + i) * size, (first + i + 1) * size);
    const words = new Float32Array(size);
    words.set(here);
    player.write(tensor, words);
  }
}

async function readParts(player: Player, { parts, data, size }: Track, first: number) {
  const all = await Promise.all(parts.map((tensor) => player.read(tensor)));
  for (const [i, words] of all.entries()) {
    const at = (first + i) * size;
    if (at < data.length) data.set(words.subarray(0, data.length - at), at);
  }
}

function sizeOfPart([tensor]: SignalParts): number {
  return tensor ? wordCount(tensor) : 0;
}

function checkInputs({ traced, steps, part, rows }: Session, inputs: NirSignals): Track[] {
  const names = [...traced.inputs.keys()];
  for (const name of Object.keys(inputs)) {
    if (!traced.inputs.has(name)) refuse(`there is no Input ${name}: expected ${names.join(', ')}`);
  }
  return [...traced.inputs].map(([name, parts]) => {
    const data = inputs[name];
    if (!data) refuse(`nothing is given for the Input ${name}`);
    const size = sizeOfPart(parts);
    const perStep = size / part;
    if (data.length !== perStep && data.length !== steps * perStep) {
      throw new EngineError(
        'shape-mismatch',
        `NIR: the Input ${name} is given ${data.length} numbers: expected ${steps} steps of ${rows} x ` +
          `${perStep / rows}, or ${perStep} to hold`,
      );
    }
    const odd = data.findIndex((value) => !Number.isFinite(value));
    if (odd >= 0) {
      refuse(`the Input ${name} is given ${data[odd]} at ${odd}: expected finite numbers`);
    }
    return { name, parts, size, data: data.length === perStep ? held(data, steps) : data };
  });
}

/** The numbers of one step, repeated for all. */
function held(data: Float32Array, steps: number): Float32Array {
  const all = new Float32Array(data.length * steps);
  for (let at = 0; at < all.length; at += data.length) all.set(data, at);
  return all;
}

/** Inputs and outputs are in memory as a whole. */
function checkSignals(
  { nodes }: NirPlan,
  { steps, rows, record }: Required<Pick<NirOptions, 'steps' | 'rows' | 'record'>>,
): void {
  const ends = nodes.filter(
    ({ name, node }) => node.type === 'Input' || node.type === 'Output' || record.includes(name),
  );
  const perStep = 4 * rows * ends.reduce((sum, { output }) => sum + sizeOf(output), 0);
  if (steps * perStep <= SIGNAL_BYTES) return;
  refuse(
    `${steps} steps of ${rows} rows are ${steps * perStep} bytes of signals: expected at most ` +
      `${SIGNAL_BYTES}, which ${Math.floor(SIGNAL_BYTES / perStep)} steps are`,
  );
}

function checkWhole(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  refuse(`${name} is ${value}: expected a whole number from 1 to ${max}`);
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', `NIR: ${message}`);
}
