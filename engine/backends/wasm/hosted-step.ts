import type { Attributes } from '../../kernels/kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import type { Values } from './arguments.ts';
import type { Kernel } from './schedule.ts';

/**
 * neuron_step of a model that has no kernel here: its TypeScript runs on the calling thread, between the
 * kernels.
 */
export function hostedStep(
  words: Values,
  attributes: Attributes<'neuron_step'>,
): (buffer: ArrayBufferLike) => Kernel {
  const { model, count, slots, scale, constants, perNeuron, dt } = attributes;
  const { clockAt, ringAt, driveAt, constantsAt, statesAt, spikesAt } = words;
  const stateCount = model.states.length;
  return (buffer) => {
    const clock = new Uint32Array(buffer, clockAt, 1);
    const ring = new Int32Array(buffer, ringAt, slots * count);
    const drive = new Float32Array(buffer, driveAt, count);
    const numbers = new Float32Array(buffer, constantsAt, constants * (perNeuron ? count : 1));
    const states = new Float32Array(buffer, statesAt, stateCount * count);
    const spikes = new Uint32Array(buffer, spikesAt, wordsPerRow(count));
    const state = new Float64Array(stateCount);
    const own = new Float64Array(constants);
    const advance = (line: number, i: number): boolean => {
      // Indices below count are inside of every view.
      for (let s = 0; s < stateCount; s++) state[s] = states[s * count + i] as number;
      for (let c = 0; c < constants; c++) own[c] = numbers[perNeuron ? c * count + i : c] as number;
      const input = scale * (ring[line + i] as number) + (drive[i] as number);
      const fires = model.step(state, own, input, dt);
      for (let s = 0; s < stateCount; s++) states[s * count + i] = state[s] as number;
      return fires;
    };
    return () => {
      const line = ((clock[0] as number) % slots) * count;
      spikes.fill(0);
      for (let i = 0; i < count; i++) {
        if (advance(line, i)) spikes[i >>> 5] = (spikes[i >>> 5] as number) | (1 << (i & 31));
      }
      ring.fill(0, line, line + count);
      drive.fill(0);
    };
  };
}
