import { synchronyKernels } from '../../kernels/synchrony.ts';
import type { Backend, Player } from '../../graph/backend.ts';
import { Graph } from '../../graph/graph.ts';
import { keyOf } from '../../random/philox.ts';
import { createDraws, valueOf } from '../../simulator/draws.ts';
import { noParameters } from '../../simulator/tracing.ts';
import type { PluginArray } from '../ports.ts';

/** Coupled Kuramoto oscillators in groups of neighbours. */
interface Oscillators {
  readonly groups: number;
  /** K in radians per step. */
  readonly coupling: number;
  /** Mean and deviation of the frequencies in Hz. */
  readonly frequency: number;
  readonly spread: number;
  /** kappa */
  readonly modulation: number;
  readonly seed: number;
}

/** The oscillators of a layer, which run independently of the current. */
export interface Rhythm {
  /** The current as their rhythm modulates it, and R of each group; both of every step. */
  modulate(current: PluginArray): Promise<{ drive: PluginArray; order: PluginArray }>;
  reset(): void;
  close(): void;
}

/** Steps of a play. */
const CHUNK = 64;

export async function openRhythm(
  backend: Backend,
  width: number,
  oscillators: Oscillators,
): Promise<Rhythm> {
  const { groups } = oscillators;
  const { turns, phases } = drawOscillators(width, oscillators);
  const traced = trace(width, turns, oscillators);
  const player = await backend.load(noParameters, [traced.program]);
  let next = phases;
  return {
    async modulate({ shape: [all = 0], data }) {
      const drive = new Float32Array(all * width);
      const order = new Float32Array(all * groups);
      for (let from = 0; from < all; from += CHUNK) {
        const count = Math.min(CHUNK, all - from);
        const rows = data.subarray(from * width, (from + count) * width);
        const played = await play(player, traced, rows, next);
        drive.set(played.drive.subarray(0, count * width), from * width);
        order.set(played.order.subarray(0, count * groups), from * groups);
        next = played.phase.slice(count * width, (count + 1) * width);
      }
      return {
        drive: { shape: [all, width], data: drive },
        order: { shape: [all, groups], data: order },
      };
    },
    reset() {
      next = phases;
    },
    close: () => player.close(),
  };
}

type Traced = ReturnType<typeof trace>;

function trace(width: number, turns: Float32Array, { groups, coupling, modulation }: Oscillators) {
  const graph = new Graph('rhythm', noParameters);
  // One extra step, whose phases are the first ones of the next submission.
  const steps = CHUNK + 1;
  const tensors = {
    current: graph.local('current', 'f32', [steps, 1, width]),
    start: graph.local('start', 'f32', [width]),
    drive: graph.local('drive', 'f32', [steps, 1, width]),
    phase: graph.local('phase', 'f32', [steps, 1, width]),
    order: graph.local('order', 'f32', [steps, 1, groups]),
  };
  const strengths = new Float32Array(groups).fill(coupling);
  graph.call(
    synchronyKernels.synchrony_forward,
    {
      ...tensors,
      coupling: graph.constant('coupling', [1, 1, groups], strengths),
      frequency: graph.constant('frequency', [width], turns),
    },
    { steps, rows: 1, width, groups, currentSteps: steps, couplingSteps: 1, modulation },
  );
  return { ...tensors, program: graph.build(), words: steps * width };
}

async function play(player: Player, traced: Traced, rows: Float32Array, phases: Float32Array) {
  const current = new Float32Array(traced.words);
  current.set(rows);
  player.write(traced.current, current);
  player.write(traced.start, phases);
  player.play(traced.program);
  // All three are f32.
  const read = async (name: 'drive' | 'order' | 'phase') =>
    Float32Array.from(await player.read(traced[name]));
  return { drive: await read('drive'), order: await read('order'), phase: await read('phase') };
}

/** Phase increments of the oscillators in a step of 1 ms, and their initial phases; both from the seed. */
function drawOscillators(width: number, { frequency, spread, seed }: Oscillators) {
  const draws = (stream: number) => createDraws(keyOf(seed), stream);
  const turnsOf = valueOf({ normal: [frequency, spread] }, draws(0));
  const phaseOf = valueOf({ uniform: [-Math.PI, Math.PI] }, draws(1));
  const radians = (2 * Math.PI) / 1000;
  return {
    turns: Float32Array.from({ length: width }, (_, i) => radians * turnsOf(i)),
    phases: Float32Array.from({ length: width }, (_, i) => phaseOf(i)),
  };
}
