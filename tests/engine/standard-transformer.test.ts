import { kernels } from '../../engine/kernels/kernels.ts';
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import type { ReferencePlayer } from '../../engine/backends/reference/reference-backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { wordCount } from '../../engine/graph/tensor.ts';
import {
  transformerLogits,
  wholeSequences,
} from '../../engine/models/standard-transformer/forward.ts';
import { traceTransformerTraining } from '../../engine/models/standard-transformer/programs.ts';
import {
  checkTransformerStructure,
  transformerParameters,
  type TransformerStructure,
} from '../../engine/models/standard-transformer/structure.ts';
import { packClock, packRates } from '../../engine/ops/step-inputs.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { reference, variants } from './play.ts';
import { randomSource } from './random.ts';

import './matchers.ts';

const structure: TransformerStructure = {
  vocabulary: 11,
  width: 12,
  heads: 3,
  blocks: 2,
  sequence: 7,
};
const BATCH = 3;
const optimiser = { beta1: 0.9, beta2: 0.95, epsilon: 1e-8 };
const layout = layOutParameters(transformerParameters(structure));
const traced = traceTransformerTraining(layout, structure, BATCH, optimiser);

/** A batch in which each token decides the next, in a model that has not learned yet. */
async function openTraining(backend: Backend) {
  const player = await backend.load(layout, [traced.program]);
  const rows = BATCH * structure.sequence;
  const ids = randomSource(3).integers(rows, structure.vocabulary);
  // Larger than a model starts with, so that no part of it is lost in rounding.
  for (const parameter of layout.parameters) {
    const values = initialValues(parameter, 1);
    const isMatrix = parameter.spec.decayed;
    player.write(parameter.value, isMatrix ? values.map((value) => 15 * value) : values);
  }
  player.write(traced.ids, ids);
  player.write(
    traced.targets,
    ids.map((id) => (3 * id + 1) % structure.vocabulary),
  );
  return player;
}

function rates(step: number, learningRate: number): Float32Array {
  const { beta1, beta2 } = optimiser;
  const corrections = [1 - beta1 ** step, 1 - beta2 ** step] as const;
  return packRates({ learningRate, weightDecay: 0, clipNorm: 1, corrections });
}

describe('a standard transformer', () => {
  it('has as many parameters as its formula says', () => {
    const { vocabulary: v, width: d, sequence: s, blocks } = structure;
    expect(layout.count).toBe(2 * v * d + s * d + v + 2 * d + blocks * (12 * d ** 2 + 9 * d));
  });

  it.each([
    [{ width: 13 }, 'd_model 13 is not divisible by 3 heads: expected a multiple of 3'],
    [{ heads: 0 }, 'heads is 0: expected a whole number from 1 to 1024'],
    [{ blocks: 1.5 }, 'blocks is 1.5: expected a whole number from 1 to 256'],
    [{ sequence: 1e9 }, 'seq_len is 1000000000: expected a whole number from 1 to 16384'],
    [{ vocabulary: Number.NaN }, 'vocabulary is NaN: expected a whole number from 1 to 1114112'],
  ])('refuses %o', (change, message) => {
    expect(() => checkTransformerStructure(structure)).not.toThrow();
    expect(() => checkTransformerStructure({ ...structure, ...change })).toThrow(
      `standard_transformer: ${message}`,
    );
  });

  it('does not look at later tokens, nor at other sequences', async () => {
    const graph = new Graph('logits', layout);
    const ids = graph.local('ids', 'u32', [2 * structure.sequence]);
    const mixing = wholeSequences(graph, structure);
    const logits = transformerLogits({ graph, structure, mixing }, ids);
    const kept = graph.local('kept logits', 'f32', logits.shape);
    graph.call(kernels.copy, { source: logits, target: kept }, { count: wordCount(logits) });
    const program = graph.build();
    const player = await reference.load(layout, [program]);
    for (const parameter of layout.parameters) {
      player.write(parameter.value, initialValues(parameter, 1));
    }
    const logitsOf = async (changed: number) => {
      const tokens = new Uint32Array(2 * structure.sequence).fill(4);
      tokens[changed] = 9;
      player.write(ids, tokens);
      player.play(program);
      return player.read(kept);
    };
    const place = 3;
    const [before, after] = [await logitsOf(structure.sequence), await logitsOf(place)];

    const { vocabulary, sequence } = structure;
    const changed = Array.from({ length: sequence }, (_, row) => {
      const first = row * vocabulary;
      return before.slice(first, first + vocabulary).some((x, i) => x !== after[first + i]);
    });
    expect(changed).toEqual([false, false, false, true, true, true, true]);
  });

  it('has gradients that equal finite differences of its loss, in every parameter', async () => {
    // The backend is the reference: its player shows the numbers in full precision.
    const player = (await openTraining(reference)) as ReferencePlayer;
    const lossNow = () => {
      player.write(traced.clock, packClock({ step: 1, slot: 0, seed: [1, 0] }));
      player.write(traced.rates, rates(1, 0));
      player.play(traced.program);
      return player.values(traced.losses)[0]!;
    };
    lossNow();
    const gradients = layout.parameters.map(({ gradient }) => player.values(gradient).slice());
    const from = randomSource(5);

    for (const [p, { value, spec }] of layout.parameters.entries()) {
      const values = player.values(value);
      const centre = values.slice();
      const direction = Float64Array.from(values, () => from.uniform(-1, 1));
      const lossAt = (step: number) => {
        for (let i = 0; i < values.length; i++) values[i] = centre[i]! + step * direction[i]!;
        return lossNow();
      };
      const expected = (lossAt(1e-5) - lossAt(-1e-5)) / 2e-5;
      values.set(centre);
      const slope = gradients[p]!.reduce((sum, g, i) => sum + g * direction[i]!, 0);
      expect(Math.abs(slope - expected), spec.name).toBeLessThan(1e-7 * (1 + Math.abs(expected)));
      expect(
        gradients[p]!.some((g) => g !== 0),
        spec.name,
      ).toBe(true);
    }
  });

  // Its kernels are held to the reference on every variant: this is about the program they make up.
  it.each(['webgpu, register tiles', 'wasm, relaxed, 2 threads', 'wasm, plain, 1 thread'] as const)(
    'trains for a step on %s as on the reference',
    async (name) => {
      const backend = await variants[name]();
      const [expected, actual] = [await openTraining(reference), await openTraining(backend)];
      for (const player of [expected, actual]) {
        player.write(traced.clock, packClock({ step: 1, slot: 0, seed: [1, 0] }));
        player.write(traced.rates, rates(1, 1e-3));
        player.play(traced.program);
      }

      for (const { gradient } of layout.parameters) {
        expect(await actual.read(gradient), gradient.name).toMatchNumbers(
          await expected.read(gradient),
          1e-4,
        );
      }
      expect((await actual.read(traced.losses))[0]).toBeCloseTo(
        (await expected.read(traced.losses))[0]!,
        4,
      );
      actual.close();
      backend.close();
    },
  );

  it('learns which token follows which', async () => {
    const backend = await variants['wasm, relaxed, 2 threads']();
    const player = await openTraining(backend);
    const from = randomSource(8);
    const losses: number[] = [];
    for (let step = 1; step <= 150; step++) {
      const ids = from.integers(BATCH * structure.sequence, structure.vocabulary);
      player.write(traced.ids, ids);
      player.write(
        traced.targets,
        ids.map((id) => (3 * id + 1) % structure.vocabulary),
      );
      player.write(traced.clock, packClock({ step, slot: 0, seed: [1, 0] }));
      player.write(traced.rates, rates(step, 0.01));
      player.play(traced.program);
      losses.push((await player.read(traced.losses))[0]!);
    }
    player.close();
    backend.close();

    expect(losses[0]).toBeGreaterThan(Math.log(structure.vocabulary) - 0.5);
    expect(Math.max(...losses.slice(-10))).toBeLessThan(0.1);
  });
});
