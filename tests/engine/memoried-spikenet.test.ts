import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Player } from '../../engine/graph/backend.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import {
  type MemoriedReadProgram,
  memoriedState,
  traceMemoriedChunk,
  traceMemoriedTraining,
} from '../../engine/models/memoried-spikenetlm/programs.ts';
import {
  backboneOf,
  checkMemoriedStructure,
  memoriedParameters,
  type MemoriedStructure,
  MODALITIES,
  packStream,
  rangeOf,
  type StreamToken,
} from '../../engine/models/memoried-spikenetlm/structure.ts';
import {
  drawFixedValues,
  layOutFixedPart,
} from '../../engine/models/sparse-event-memory/fixed-part.ts';
import { sparseLearning } from '../../engine/models/sparse-event-memory/learning.ts';
import { sparseDefaults } from '../../engine/models/sparse-event-memory/structure.ts';
import { slotWord } from '../../engine/kernels/slots.ts';
import { createStepInputs } from '../../engine/ops/step-inputs.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { variants } from './play.ts';
import { randomSource } from './random.ts';

const structure: MemoriedStructure = {
  ...sparseDefaults,
  vocabularies: { text: 11, image: 7, audio: 5 },
  classes: 3,
  width: 70,
  blocks: 2,
  density: 0.06,
  rank: 16,
  adapterRank: 4,
};
const layout = layOutParameters(memoriedParameters(structure));
const backbone = backboneOf(structure);
const fixed = layOutFixedPart(backbone);
const model = { structure, layout, fixed };
const TOKENS = 24;

function writeModel(player: Player): void {
  for (const parameter of layout.parameters) {
    player.write(parameter.value, initialValues(parameter, 1));
  }
  for (const [i, values] of drawFixedValues(backbone).entries()) {
    player.write(fixed.tensors[i]!, values);
  }
}

/** A stream in which modalities take turns. */
function drawStream(seed: number): StreamToken[] {
  const from = randomSource(seed);
  return Array.from({ length: TOKENS }, (_, i) => {
    const modality = MODALITIES[Math.floor(i / 5) % 3]!;
    return { modality, id: from.integers(1, structure.vocabularies[modality])[0]! };
  });
}

describe('a memoried spike net', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await variants['wasm, relaxed, 1 thread']();
  });
  afterAll(() => backend.close());

  it('has a head for each modality, one behind the other, and refuses tokens they lack', () => {
    expect(MODALITIES.map((modality) => rangeOf(structure, modality))).toEqual([
      { start: 0, end: 11 },
      { start: 11, end: 18 },
      { start: 18, end: 23 },
    ]);
    expect(packStream(structure, [{ modality: 'audio', id: 4 }])).toEqual({
      ids: Uint32Array.of(22),
      modalities: Uint32Array.of(2),
    });
    expect(() => packStream(structure, [{ modality: 'image', id: 7 }])).toThrow(
      'memoried_spikenetlm: the image token is 7: expected one from 0 to 6',
    );
    expect(() => checkMemoriedStructure({ ...structure, classes: 0 })).toThrow(
      'memoried_spikenetlm: classes is 0: expected a whole number of at least 1',
    );
  });

  describe('reading', () => {
    const state = memoriedState();
    const whole = traceMemoriedChunk(model, { batch: 1, sequence: TOKENS }, state);
    const half = traceMemoriedChunk(model, { batch: 1, sequence: TOKENS / 2 }, state);
    let player: Player;
    beforeAll(async () => {
      player = await backend.load(layout, [whole.program, half.program]);
      writeModel(player);
    });

    const read = async (
      { program, logits, pooled, ...inputs }: MemoriedReadProgram,
      tokens: readonly StreamToken[],
      mask: Uint32Array,
    ) => {
      const size = inputs.ids.shape[0]!;
      const results = { logits: [] as number[], pooled: [] as number[] };
      const { ids, modalities } = packStream(structure, tokens);
      for (let first = 0; first < tokens.length; first += size) {
        const write = (tensor: Tensor, words: Uint32Array) =>
          player.write(tensor, words.subarray(first, first + size));
        write(inputs.ids, ids);
        write(inputs.modalities, modalities);
        write(inputs.mask, mask);
        player.write(inputs.slots, Uint32Array.of(slotWord(0, first === 0)));
        player.play(program);
        results.logits.push(...(await player.read(logits)));
        results.pooled.push(...(await player.read(pooled)));
      }
      return results;
    };
    const all = new Uint32Array(TOKENS).fill(1);

    it('two halves in two calls gives what one call gives, bit by bit', async () => {
      const stream = drawStream(3);
      const expected = await read(whole, stream, all);

      const actual = await read(half, stream, all);

      expect(actual).toEqual(expected);
      expect(new Set(expected.logits).size).toBeGreaterThan(100);
    });

    it('leaves no trace of masked tokens, whatever they are', async () => {
      const stream = drawStream(4);
      const mask = all.map((_, i) => Number(i % 4 !== 1));
      const others = stream.map((token, i) => (mask[i] ? token : { ...token, id: 0 }));
      const kept = (numbers: number[], width: number) =>
        numbers.filter((_, i) => mask[Math.floor(i / width)]);
      const before = await read(whole, stream, mask);

      const after = await read(half, others, mask);

      expect(kept(after.logits, 23)).toEqual(kept(before.logits, 23));
      expect(after.pooled).toEqual(before.pooled);
      const unmasked = await read(whole, stream, all);
      expect(kept(unmasked.logits, 23)).not.toEqual(kept(before.logits, 23));
    });
  });

  it('learns which picture code follows a text, and the class of the stream', async () => {
    const [batch, sequence, steps] = [8, 12, 120];
    const optimiser = { ...stableBaseline, weightDecay: 0 };
    const traced = traceMemoriedTraining(model, { batch, sequence }, optimiser, sparseLearning);
    const player = await backend.load(layout, [traced.program]);
    writeModel(player);
    const step = createStepInputs({ ...optimiser, clipNorm: 1, seed: [1, 0] });
    const from = randomSource(7);
    // A letter stands for the whole picture and its class, so all but the letter can be known.
    const example = (letter: number) =>
      Array.from({ length: sequence + 1 }, (_, i): StreamToken => {
        if (i === 0) return { modality: 'text', id: letter };
        return { modality: 'image', id: (2 * letter + i) % 7 };
      });
    for (let i = 0; i < steps; i++) {
      const letters = from.integers(batch, 3);
      const streams = Array.from(letters, (letter) => packStream(structure, example(letter)));
      const joined = (part: 'ids' | 'modalities', start: number) =>
        Uint32Array.from(
          streams.flatMap((one) => [...one[part].subarray(start, start + sequence)]),
        );
      step.set(i, 0.02);
      player.write(traced.ids, joined('ids', 0));
      player.write(traced.modalities, joined('modalities', 0));
      player.write(traced.mask, new Uint32Array(batch * sequence).fill(1));
      player.write(traced.weights, new Float32Array(batch * sequence).fill(1));
      player.write(traced.targets, joined('ids', 1));
      const classes = Uint32Array.from(letters, (letter) => letter);
      player.write(
        traced.classes,
        Uint32Array.from(
          { length: batch * sequence },
          (_, row) => classes[Math.floor(row / sequence)]!,
        ),
      );
      player.write(traced.clock, step.clock);
      player.write(traced.rates, step.rates);
      player.play(traced.program);
    }

    const losses = await player.read(traced.losses);
    const pooled = await player.read(traced.pooledLosses);

    // The seven codes come equally often: nothing below 1.9 nats without a look at the stream.
    expect(losses[0]).toBeGreaterThan(2.5);
    expect(losses[steps - 1]).toBeLessThan(1);
    expect(pooled[steps - 1]).toBeLessThan(0.5);
    player.close();
  });
});
