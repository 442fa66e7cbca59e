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
  mask_gradient: ({ f, u }, { steps, rows, width }) => {
    const gradient = f('gradient');
    for (let line = 0; line < steps * rows; line++) {
      for (let n = 0; n < width; n++) {
        const isOpen = bitAt(u('mask'), wordsPerRow(width), line, n) === 1;
        if (!isOpen) gradient[line * width + n] = 0;
      }
    }
  },
  reward_signal: ({ f, u }, { mode, slots, clip, step, horizon, ...attributes }) => {
    const { lossDecay, baselineDecay, minSupply } = attributes;
    const state = f('state');
    const loss = at(f('history'), at(u('clock'), 1) % slots);
    const isFirst = at(state, 2) === 0;
    const before = isFirst ? loss : at(state, 0);
    const mean = lossDecay * before + (1 - lossDecay) * loss;
    const gain = mode === 'ema_delta' ? before - mean : -loss;
    const reward = mode === 'raw' ? gain : clamp(gain, -clip, clip);
    const baseline = isFirst ? reward : at(state, 1);
    const advantage = reward - baseline;
    f('reward')[0] = reward;
    f('move')[0] = (Math.sign(advantage) * step) / (1 + at(u('clock'), 0) / horizon);
    f('supply')[0] = clamp(1 + advantage / clip, minSupply, 2);
    state.set([mean, baselineDecay * baseline + (1 - baselineDecay) * reward, 1]);
  },
  reward_decay: ({ f }, { count, lowest, highest }) => {
    const beta = f('beta');
    for (let i = 0; i < count; i++) {
      const leak = (1 - at(beta, i)) * (1 - at(f('move'), 0));
      beta[i] = clamp(1 - leak, lowest, highest);
    }
  },
} satisfies Partial<ReferenceKernels>;
