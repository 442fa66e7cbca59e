import type { Backend, Player } from '../backends/backend.ts';
import { EngineError } from '../errors.ts';
import { wordCount } from '../graph/tensor.ts';
import type { NirGraph, Shape } from './graph.ts';
import type { Discretisation } from './neurons.ts';
import { type NirPlan, planNir } from './plan.ts';
import { sizeOf } from './shapes.ts';
import { noParameters, type NirProgram, traceNir } from './trace.ts';

export interface NirOptions extends Discretisation {
  /** Time steps of a run. */
  readonly steps: number;
  /** Sequences side by side; 1 if absent. */
  readonly rows?: number;
  /** Nodes whose signals are given besides those of the Outputs. */
  readonly record?: readonly string[];
}

/** Signals by the name of their node, `[steps][rows][size]`. */
export type NirSignals = Readonly<Record<string, Float32Array>>;

/** A network of the neuromorphic intermediate representation on a device. */
export interface NirNetwork {
  /** Shapes of one step of one sequence, by the names of the Inputs. */
  readonly inputs: ReadonlyMap<string, Shape>;
  /** The same of what a run gives. */
  readonly outputs: ReadonlyMap<string, Shape>;
  readonly steps: number;
  /** Whether a loop makes the network go step by step instead of layer by layer. */
  readonly isRecurrent: boolean;
  /**
   * Runs the network from rest. An input is `[steps][rows][size]`, or `[rows][size]` to be held in every
   * step. Neurons that fire give 1 and 0, others their membranes. Throws EngineError `shape-mismatch` and
   * `invalid-setting` for inputs that are missing, of another size or not finite.
   */
  run(inputs: NirSignals): Promise<NirSignals>;
  close(): void;
}

const MOST_STEPS = 1 << 20;
const MOST_ROWS = 1 << 16;
/** Bytes of signals that one play may hold; a longer run is several plays. */
const PLAY_BYTES = 2 ** 26;

/**
 * Prepares a network on a device: plans it, traces its program and loads it. Throws as `planNir`, and
 * `invalid-setting` for what is asked of it.
 */
export async function openNir(
  backend: Backend,
  graph: NirGraph,
  options: NirOptions,
): Promise<NirNetwork> {
  const { steps, rows = 1, record = [] } = options;
  checkWhole('steps', steps, MOST_STEPS);
  checkWhole('rows', rows, MOST_ROWS);
  const plan = planNir(graph, options);
  const known = new Map(plan.nodes.map((node) => [node.name, node]));
  for (const name of record) {
    if (!known.has(name))
      refuse(`there is no node ${name} to record: expected ${[...known.keys()].join(', ')}`);
  }
  const chunk = stepsOfPlay(plan, steps, rows);
  const traced = traceNir(plan, { steps: chunk, rows, record: new Set(record) });
  const player = await backend.load(noParameters, [traced.program]);
  const shapesOf = (names: Iterable<string>) =>
    new Map([...names].map((name) => [name, known.get(name)?.output ?? []]));
  const session: Session = { player, traced, steps, chunk, rows };
  let turn: Promise<unknown> = Promise.resolve();
  return {
    inputs: shapesOf(traced.inputs.keys()),
    outputs: shapesOf(traced.outputs.keys()),
    steps,
    isRecurrent: plan.late.size > 0,
    run(inputs) {
      // One run after the other: they share the membranes.
      const next = turn.then(() => run(session, inputs));
      turn = next.catch(() => undefined);
      return next;
    },
    close: () => player.close(),
  };
}

/** A loop passes through the host once a step; otherwise as many steps at once as fit. */
function stepsOfPlay({ nodes, late }: NirPlan, steps: number, rows: number): number {
  if (late.size > 0) return 1;
  const numbers = nodes.reduce((sum, { output }) => sum + sizeOf(output), 0);
  return Math.max(1, Math.min(steps, Math.floor(PLAY_BYTES / (4 * rows * numbers))));
}

interface Session {
  readonly player: Player;
  readonly traced: NirProgram;
  readonly steps: number;
  readonly chunk: number;
  readonly rows: number;
}

async function run(session: Session, inputs: NirSignals): Promise<NirSignals> {
  const { player, traced, steps, chunk } = session;
  const given = checkInputs(session, inputs);
  const signals = [...traced.outputs].map(([name, tensor]) => {
    const perStep = wordCount(tensor) / chunk;
    return { name, tensor, all: new Float32Array(steps * perStep), perStep };
  });
  for (const { tensor, initial } of traced.states) player.write(tensor, initial);
  for (let first = 0; first < steps; first += chunk) {
    for (const { tensor, data, perStep, isHeld } of given) {
      if (isHeld && first > 0) continue;
      const part = new Float32Array(wordCount(tensor));
      if (isHeld) for (let t = 0; t < chunk; t++) part.set(data, t * perStep);
      else part.set(data.subarray(first * perStep, (first + chunk) * perStep));
      player.write(tensor, part);
    }
    player.play(traced.program);
    for (const { tensor, all, perStep } of signals) {
      const part = await player.read(tensor);
      const count = Math.min(chunk, steps - first) * perStep;
      all.set(part.subarray(0, count), first * perStep);
    }
  }
  return Object.fromEntries(signals.map(({ name, all }) => [name, all]));
}

function checkInputs({ traced, steps, chunk, rows }: Session, inputs: NirSignals) {
  const names = [...traced.inputs.keys()];
  for (const name of Object.keys(inputs)) {
    if (!traced.inputs.has(name)) refuse(`there is no Input ${name}: expected ${names.join(', ')}`);
  }
  return [...traced.inputs].map(([name, tensor]) => {
    const data = inputs[name];
    if (!data) refuse(`nothing is given for the Input ${name}`);
    const perStep = wordCount(tensor) / chunk;
    const isHeld = data.length === perStep;
    if (!isHeld && data.length !== steps * perStep) {
      throw new EngineError(
        'shape-mismatch',
        `NIR: the Input ${name} is given ${data.length} numbers: expected ${steps} steps of ${rows} x ` +
          `${perStep / rows}, or ${perStep} to hold`,
      );
    }
    const odd = data.findIndex((value) => !Number.isFinite(value));
    if (odd >= 0)
      refuse(`the Input ${name} is given ${data[odd]} at ${odd}: expected finite numbers`);
    return { tensor, data, perStep, isHeld };
  });
}

function checkWhole(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  refuse(`${name} is ${value}: expected a whole number from 1 to ${most}`);
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', `NIR: ${message}`);
}
