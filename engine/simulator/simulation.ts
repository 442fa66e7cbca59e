import type { Backend, Player } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import type { SimulationDescription } from './description.ts';
import { buildNetwork, type Extensions } from './network.ts';
import { parseDescription } from './parse-description.ts';
import { planSimulation, requireMemory, type SimulationPlan } from './plan.ts';
import { createCollector, type Recording } from './recorders.ts';
import { type TracedNetwork, traceNetwork } from './trace.ts';
import { noParameters } from './tracing.ts';

/** Neurons and rules of one's own, and how much is buffered on the device. */
export interface SimulationOptions extends Extensions {
  /** Maximum number of steps that recorders buffer on the device between two reads; 1000 by default. */
  readonly recordedSteps?: number;
}

/** Progress and abort of a run. */
export interface AdvanceOptions {
  /** Stops between two plays. */
  readonly signal?: AbortSignal;
  /** Called after each submission with the number of steps done. */
  readonly onProgress?: (done: number) => void;
}

/** A network on a device. */
export interface Simulation {
  readonly description: SimulationDescription;
  readonly plan: SimulationPlan;
  /** Synapses that were drawn. */
  readonly synapses: number;
  /** Steps done since the beginning. */
  step(): number;
  /** Runs some steps, many per submission, and returns their recording. */
  advance(steps: number, options?: AdvanceOptions): Promise<Recording>;
  /**
   * Reads a persistent tensor by name: `population.states` [states][neurons], `population.spikes`,
   * `projection.weight`, `projection.target`, `projection.rowStart`, or one of a plasticity rule.
   */
  read(name: string): Promise<Float32Array | Uint32Array>;
  /** Overwrites one, such as the weights or the reward of a rule. */
  write(name: string, data: Float32Array | Uint32Array): void;
  /** Back to step 0 and first states, synapses and their weights. */
  reset(): void;
  close(): void;
}

/**
 * Target duration of a submission: the event loop runs in between, so that pages stay live and signals
 * abort.
 */
const PLAY_MS = 50;
const LAST_STEP = 2 ** 32 - 1;

/**
 * Draws a network and loads it on a device. The description is validated first. Throws EngineError `invalid-
 * setting` for an invalid description, `out-of-memory` naming the bytes, and `shader-invalid` naming the
 * line of a plugin's model.
 */
export async function createSimulation(
  backend: Backend,
  unchecked: unknown,
  options: SimulationOptions = {},
): Promise<Simulation> {
  const description = parseDescription(unchecked, options.models);
  const plan = planSimulation(description, options);
  requireMemory(plan, backend.device);
  const network = buildNetwork(description, options);
  const traced = traceNetwork(network, plan.capacity);
  const player = await backend.load(noParameters, [traced.program]);
  const synapses = network.projections.reduce((sum, one) => sum + one.synapses.target.length, 0);
  for (const { tensor, data } of traced.first) player.write(tensor, data);
  return { description, plan, synapses, ...run(player, traced, plan.capacity) };
}

type Running = Omit<Simulation, 'description' | 'plan' | 'synapses'>;

function run(player: Player, traced: TracedNetwork, capacity: number): Running {
  const { program, tensors, first } = traced;
  const pace = createPace();
  let done = 0;
  const tensorOf = (name: string) => {
    const tensor = tensors.get(name);
    if (tensor && program.shared.includes(tensor)) return tensor;
    const known = program.shared.map((one) => one.name).join(', ');
    throw new EngineError('invalid-setting', `there is no tensor "${name}": expected ${known}`);
  };
  /** Runs up to `max` steps, which fit into the recorders. */
  const fill = async (max: number, { signal, onProgress }: AdvanceOptions, before: number) => {
    let filled = 0;
    for (; filled < max;) {
      if (signal?.aborted) break;
      const steps = Math.min(max - filled, pace.steps());
      const started = performance.now();
      player.play(program, steps);
      await player.settled();
      pace.took(steps, performance.now() - started);
      filled += steps;
      done += steps;
      onProgress?.(before + filled);
    }
    return filled;
  };
  return {
    step: () => done,
    async advance(steps, options = {}) {
      requireSteps(steps, done);
      const collector = createCollector(traced.histories, done);
      for (let left = steps; left > 0 && !options.signal?.aborted;) {
        const firstStep = done;
        const filled = await fill(Math.min(left, capacity), options, steps - left);
        for (const history of traced.histories) {
          const data = await player.read(history.tensor);
          collector.add({ history, data, capacity, firstStep, steps: filled });
        }
        collector.advance(filled);
        left -= filled;
      }
      return collector.finish();
    },
    read: (name) => player.read(tensorOf(name)),
    write: (name, data) => player.write(tensorOf(name), data),
    reset() {
      const set = new Set(first.map(({ tensor }) => tensor));
      for (const tensor of program.shared)
        if (!set.has(tensor)) player.write(tensor, zeros(tensor));
      for (const { tensor, data } of first) player.write(tensor, data);
      done = 0;
    },
    close: () => player.close(),
  };
}

function requireSteps(steps: number, done: number): void {
  if (Number.isInteger(steps) && steps >= 0 && done + steps <= LAST_STEP) return;
  throw new EngineError(
    'invalid-setting',
    `steps is ${steps} after ${done}: expected a whole number, at most ${LAST_STEP} in all`,
  );
}

function zeros(tensor: Tensor): Float32Array | Uint32Array {
  return tensor.dtype === 'f32'
    ? new Float32Array(wordCount(tensor))
    : new Uint32Array(wordCount(tensor));
}

/** Chooses the number of steps per submission for a duration of PLAY_MS, from the last one's. */
function createPace() {
  let steps = 16;
  return {
    steps: () => steps,
    took(count: number, ms: number): void {
      // Too short to measure, or cut off by the end: a longer submission is tried next.
      const wanted = count * (PLAY_MS / Math.max(ms, PLAY_MS / 8));
      steps = Math.max(1, Math.round(Math.max(wanted, count < steps ? steps : 1)));
    },
  };
}
