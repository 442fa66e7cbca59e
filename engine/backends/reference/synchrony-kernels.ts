import type { Attributes } from '../../kernels/kernels.ts';
import { at, type ReferenceKernels } from './views.ts';

type Synchrony = Attributes<'synchrony_forward'>;

/** Keeps the direction of a mean of length 0 from being 0 / 0. */
const SOFTENING = 1e-12;

/** One group of one row: where its numbers lie. */
interface Group {
  readonly row: number;
  readonly group: number;
  readonly size: number;
}

function eachGroup({ rows, width, groups }: Synchrony, visit: (group: Group) => void): void {
  for (let row = 0; row < rows; row++) {
    for (let group = 0; group < groups; group++) visit({ row, group, size: width / groups });
  }
}

/** Places of a group's tensors at a step. */
function placesOf(attributes: Synchrony, { row, group, size }: Group) {
  const { rows, width, groups, currentSteps, couplingSteps } = attributes;
  const inRow = row * width + group * size;
  const pair = row * groups + group;
  return {
    neuron: (t: number) => t * rows * width + inRow,
    current: (t: number) => (t % currentSteps) * rows * width + inRow,
    coupling: (t: number) => (t % couplingSteps) * rows * groups + pair,
    group: (t: number) => t * rows * groups + pair,
  };
}

/** The Kuramoto mean field of `size` phases: mean of e^{i phi}. */
function meanOf(phase: Float64Array, first: number, size: number): [number, number] {
  let [x, y] = [0, 0];
  for (let i = 0; i < size; i++) {
    x += Math.cos(at(phase, first + i)) / size;
    y += Math.sin(at(phase, first + i)) / size;
  }
  return [x, y];
}

/** The same angle, in [-pi, pi]. */
function wrap(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

export const synchronyKernels = {
  synchrony_forward: ({ f }, attributes) => {
    const { steps, modulation } = attributes;
    const [phase, mean, order] = [f('phase'), f('mean'), f('order')];
    const [current, drive] = [f('current'), f('drive')];
    eachGroup(attributes, (group) => {
      const { size } = group;
      const places = placesOf(attributes, group);
      const inLayer = group.group * size;
      for (let i = 0; i < size; i++) phase[places.neuron(0) + i] = at(f('start'), inLayer + i);
      for (let t = 0; t < steps; t++) {
        const [x, y] = meanOf(phase, places.neuron(t), size);
        const pull = at(f('coupling'), places.coupling(t));
        const length = Math.sqrt(x * x + y * y + SOFTENING);
        mean.set([x, y], 2 * places.group(t));
        order[places.group(t)] = Math.hypot(x, y);
        for (let i = 0; i < size; i++) {
          const phi = at(phase, places.neuron(t) + i);
          const along = (x * Math.cos(phi) + y * Math.sin(phi)) / length;
          const factor = 1 + modulation * along;
          drive[places.neuron(t) + i] = at(current, places.current(t) + i) * factor;
          if (t + 1 === steps) continue;
          const turn = pull * (y * Math.cos(phi) - x * Math.sin(phi));
          phase[places.neuron(t + 1) + i] = wrap(phi + at(f('frequency'), inLayer + i) + turn);
        }
      }
    });
  },

  synchrony_backward: ({ f }, attributes) => {
    const { steps, modulation } = attributes;
    const [phase, mean, gradient] = [f('phase'), f('mean'), f('gradient')];
    const [current, toCurrent] = [f('current'), f('currentGradient').fill(0)];
    const toCoupling = f('couplingGradient').fill(0);
    eachGroup(attributes, (group) => {
      const { size } = group;
      const places = placesOf(attributes, group);
      const carried = new Float64Array(size);
      for (let t = steps - 1; t >= 0; t--) {
        const [x, y] = [at(mean, 2 * places.group(t)), at(mean, 2 * places.group(t) + 1)];
        const pull = at(f('coupling'), places.coupling(t));
        const length = Math.sqrt(x * x + y * y + SOFTENING);
        let [byX, byY, byPull] = [0, 0, 0];
        const byPhase = new Float64Array(size);
        for (let i = 0; i < size; i++) {
          const phi = at(phase, places.neuron(t) + i);
          const [cos, sin] = [Math.cos(phi), Math.sin(phi)];
          const along = x * cos + y * sin;
          const across = y * cos - x * sin;
          const g = at(gradient, places.neuron(t) + i);
          const to = places.current(t) + i;
          toCurrent[to] = at(toCurrent, to) + g * (1 + (modulation * along) / length);

          const byAlong = (g * modulation * at(current, to)) / length;
          const shrink = along / (length * length);
          const p = at(carried, i);
          byPhase[i] = p * (1 - pull * along) + byAlong * across;
          byX += byAlong * (cos - shrink * x) - p * pull * sin;
          byY += byAlong * (sin - shrink * y) + p * pull * cos;
          byPull += p * across;
        }
        for (let i = 0; i < size; i++) {
          const phi = at(phase, places.neuron(t) + i);
          const through = (byY * Math.cos(phi) - byX * Math.sin(phi)) / size;
          carried[i] = at(byPhase, i) + through;
        }
        const to = places.coupling(t);
        toCoupling[to] = at(toCoupling, to) + byPull;
      }
    });
  },
} satisfies Partial<ReferenceKernels>;
