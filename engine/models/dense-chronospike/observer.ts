import type { Observer } from '../language/observer.ts';
import type { Player } from '../../backends/backend.ts';
import { EngineError } from '../../errors.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { shownThreshold } from './neurons.ts';
import type { ObserveProgram } from './programs.ts';
import type { ChronospikeStructure } from './structure.ts';

export function createObserver(
  player: Player,
  { program, ids: input, layers }: ObserveProgram,
  structure: ChronospikeStructure,
): Observer {
  const sequence = input.shape[0] ?? 0;
  const { steps } = structure;
  return {
    layers: layers.map(({ name }) => name),
    sequence,
    async observe(ids, layer) {
      const found = layers.find(({ name }) => name === layer);
      if (!found) {
        const names = layers.map(({ name }) => name).join(', ');
        throw new EngineError(
          'invalid-setting',
          `there is no layer ${layer}: expected one of ${names}`,
        );
      }
      player.write(input, ids);
      player.play(program);
      const [membranes, spikes, units] = await Promise.all([
        player.read(found.membrane),
        player.read(found.spikes),
        found.thresholds && player.read(found.thresholds),
      ]);
      if (units) inUnits(membranes, units);
      const neurons = found.membrane.shape.at(-1) ?? 0;
      return {
        name: layer,
        neurons,
        times: sequence * steps,
        spikes: byTime(spikes as Uint32Array, steps, wordsPerRow(neurons)),
        membranes: byTime(membranes as Float32Array, steps, neurons),
        threshold: shownThreshold(structure),
      };
    },
  };
}

/** Divides rows of membranes by the unit of each neuron. */
function inUnits(membranes: Float32Array | Uint32Array, units: Float32Array | Uint32Array): void {
  for (const [i, membrane] of membranes.entries()) {
    membranes[i] = membrane / (units[i % units.length] ?? 1);
  }
}

/** From `[step][token][width]`, as the device holds it, to `[token][step][width]`, as time runs. */
function byTime<A extends Float32Array | Uint32Array>(rows: A, steps: number, width: number): A {
  const ordered = rows.slice() as A;
  const tokens = rows.length / width / steps;
  for (let step = 0; step < steps; step++) {
    for (let token = 0; token < tokens; token++) {
      const from = (step * tokens + token) * width;
      ordered.set(rows.subarray(from, from + width), (token * steps + step) * width);
    }
  }
  return ordered;
}
