import type { Attributes } from '../../kernels/kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { at, bitAt, type ReferenceKernels, setBit } from './views.ts';

const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);

const INT16 = { least: -0x8000, most: 0x7fff } as const;

/** Number `index` of a row of int16 pairs. */
function int16At(words: Uint32Array, row: number, index: number): number {
  return ((words[row + (index >>> 1)] ?? 0) << (index & 1 ? 0 : 16)) >> 16;
}

function setInt16(words: Uint32Array, row: number, index: number, value: number): void {
  const word = row + (index >>> 1);
  const shift = 16 * (index & 1);
  words[word] = ((words[word] ?? 0) & ~(0xffff << shift)) | ((value & 0xffff) << shift);
}

type EnergyGate = Attributes<'energy_gate'>;

/** Energy of a neuron after a step in which it was allowed to fire, or not. */
function energyAfter(
  energy: number,
  spent: number,
  { capacity, rate, supply }: Pick<EnergyGate, 'capacity' | 'rate'> & { supply: number },
): number {
  return clamp(energy - spent + rate * supply, 0, capacity);
}

/** Integer neurons, and the rules that steer neurons beside the gradient. */
export const ruleKernels = {
  integer_lif: ({ u }, { steps, rows, width, currentSteps, leak, threshold, carried }) => {
    const [current, membrane, spikes] = [u('current'), u('membrane'), u('spikes').fill(0)];
    const pairs = Math.ceil(width / 2);
    if (!carried) membrane.fill(0);
    for (let row = 0; row < rows; row++) {
      for (let n = 0; n < width; n++) {
        let v = int16At(membrane, row * pairs, n);
        for (let t = 0; t < steps; t++) {
          const drive = at(current, ((t % currentSteps) * rows + row) * width + n) | 0;
          v = clamp(((v * leak) >> 8) + drive, INT16.least, INT16.most);
          if (v <= threshold) continue;
          setBit(spikes, wordsPerRow(width), t * rows + row, n);
          v = 0;
        }
        setInt16(membrane, row * pairs, n, v);
      }
      if (width % 2 === 1) setInt16(membrane, row * pairs, width, 0);
    }
  },
  energy_gate: ({ f, u }, attributes) => {
    const { steps, rows, width, sequence, capacity, consumption, threshold, carried } = attributes;
    const words = wordsPerRow(width);
    const [energy, spikes] = [f('energy'), u('spikes')];
    const [gated, open] = [u('gated').fill(0), u('open').fill(0)];
    const supplied = { ...attributes, supply: at(f('supply'), 0) };
    for (let i = 0; i < (rows / sequence) * width; i++) {
      const [entry, n] = [Math.floor(i / width), i % width];
      let left = carried ? at(energy, i) : capacity;
      for (let token = 0; token < sequence; token++) {
        for (let t = 0; t < steps; t++) {
          const line = t * rows + entry * sequence + token;
          const isOpen = left >= threshold;
          const fires = isOpen && bitAt(spikes, words, line, n) === 1;
          if (isOpen) setBit(open, words, line, n);
          if (fires) setBit(gated, words, line, n);
          left = energyAfter(left, fires ? consumption * at(f('importance'), n) : 0, supplied);
        }
      }
      energy[i] = left;
    }
  },
} satisfies Partial<ReferenceKernels>;
