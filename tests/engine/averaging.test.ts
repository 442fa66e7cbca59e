import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import { openReferenceBackend } from '../../engine/backends/reference/reference-backend.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { wordCount } from '../../engine/graph/tensor.ts';
import { families } from '../../engine/models/families.ts';
import type { TrainingSettings } from '../../engine/models/dense-chronospike/settings.ts';
import {
  type ChronospikeOptions,
  type ChronospikeRun,
  createTrainingRun,
} from '../../engine/models/dense-chronospike/training.ts';
import { unpackModel, unpackTraining } from '../../engine/models/stored-model.ts';
import {
  controlsFor,
  plainRules,
  stableBaseline,
  type TrainingControls,
} from '../../engine/settings/controls.ts';
import { AveragedWeights, traceAverage } from '../../engine/train/averaging.ts';
import { planPrograms } from '../../engine/train/plan-programs.ts';
import './matchers.ts';
import { openNovel } from './novel.ts';
import { variants } from './play.ts';
import { randomSource } from './random.ts';

const settings: TrainingSettings = {
  width: 12,
  heads: 2,
  blocks: 1,
  steps: 2,
  sequence: 9,
  batch: 3,
  learningRate: 0.02,
  seed: 1,
  budget: { kind: 'steps', steps: 12 },
};
const SPAN = 0.4;
const plainly: TrainingControls = { ...stableBaseline, ...plainRules };
const averaged: TrainingControls = { ...plainly, average: SPAN };

let corpus: Corpus;
beforeAll(async () => {
  corpus = await openNovel();
});

const startOn = (
  backend: Backend,
  { controls = averaged, ...rest }: Partial<ChronospikeOptions> = {},
) => createTrainingRun({ backend, corpus, settings, controls, ...rest });

/** The average of the weights by the published rule, in float64. */
async function trainedTogether(run: ChronospikeRun, steps: number): Promise<Float64Array> {
  const average = Float64Array.from(await run.parameters());
  for (let step = 1; step <= steps; step++) {
    await run.advance(1);
    const weights = await run.parameters();
    const share = Math.min(1, 1 / (SPAN * step));
    for (const [i, weight] of weights.entries()) average[i]! += share * (weight - average[i]!);
  }
  return average;
}

const layout = layOutParameters([
  { name: 'tall', shape: [65, 3], initial: { kind: 'constant', value: 0 }, decayed: true },
  { name: 'scalar', shape: [1], initial: { kind: 'constant', value: 0 }, decayed: false },
]);
const blockOf = (seed: number) => randomSource(seed).floats(wordCount(layout.values));
const backends: Record<string, () => Promise<Backend>> = {
  reference: () => Promise.resolve(openReferenceBackend()),
  ...variants,
};

describe.each(Object.entries(backends))('weights and their average on %s', (_variant, open) => {
  it('take turns in the parameter block, whichever is asked for', async () => {
    const backend = await open();
    const { take, exchange, ...tensors } = traceAverage(layout, 0.5)!;
    const player = await backend.load(layout, [take, exchange]);
    const weights = new AveragedWeights(player, { take, exchange, ...tensors });
    const blocks = [1, 2, 3, 4].map(blockOf);
    player.write(layout.values, blocks[0]!);
    weights.begin();
    const begun = await weights.shown.read(layout.values);
    // 1 / (0.5 t), at most all of it.
    for (const block of blocks.slice(1)) {
      weights.learn();
      player.write(layout.values, block);
      weights.take();
    }
    const [, , third, fourth] = blocks;
    const expected = third!.map((value, i) => value + (fourth![i]! - value) * (2 / 3));
    const shown = await weights.shown.read(layout.values);
    weights.learn();
    const learning = await player.read(layout.values);
    const { values, taken } = await weights.read();
    player.close();
    backend.close();

    expect(begun).toEqual(blocks[0]);
    expect(shown).toMatchNumbers(expected, 1e-6);
    expect(learning).toEqual(fourth);
    expect([values, taken]).toEqual([shown, 3]);
  });
});

describe('a run that averages its weights', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await variants['wasm, plain, 1 thread']();
  });
  afterAll(() => backend.close());

  it('learns as one that does not, and its model is the average', async () => {
    const run = await startOn(backend);
    const plain = await startOn(backend, { controls: plainly });
    const expected = await trainedTogether(run, 6);
    await plain.advance(6);
    const files = await run.checkpoint();
    const [weights, others] = [await run.parameters(), await plain.parameters()];
    run.close();
    plain.close();
    const { values } = unpackModel(files);

    expect(weights).toEqual(others);
    expect(values).toMatchNumbers(expected, 1e-5);
    expect(values).not.toEqual(weights);
    expect(unpackTraining(files).values).toEqual(weights);
  });

  it('is validated, and writes, as its model does', async () => {
    const run = await startOn(backend);
    await run.advance(8);
    const [shown, text] = [await run.validate(), await textOf(run)];
    const { layout: _, ...stored } = unpackTraining(await run.checkpoint());
    run.close();
    const { values } = stored.average!;
    const resume = { ...stored, layout: run.layout, values, average: undefined };
    const model = await startOn(backend, { controls: plainly, resume });
    const [expected, expectedText] = [await model.validate(), await textOf(model)];
    model.close();

    expect(shown).toEqual(expected);
    expect(text).toBe(expectedText);
  });

  it('resumes bit for bit, whatever was shown between', async () => {
    const whole = await startOn(backend);
    await whole.advance(12);
    const first = await startOn(backend);
    await first.advance(2);
    await first.validate();
    await first.advance(3);
    await textOf(first);
    const resume = unpackTraining(await first.checkpoint());
    first.close();
    const second = await startOn(backend, { resume });
    await second.validate();
    await second.advance(7);
    const [resumed, uninterrupted] = [await second.checkpoint(), await whole.checkpoint()];
    const validations = [await second.validate(), await whole.validate()];
    second.close();
    whole.close();

    expect(resume.state.averaged_steps).toBe(5);
    for (const name of ['model.safetensors', 'optimizer.safetensors']) {
      expect(resumed.get(name), name).toEqual(uninterrupted.get(name));
    }
    expect(validations[0]).toEqual(validations[1]);
  });

  it('has the agreed parameters for its model where several trainers train it, and begins anew', async () => {
    const run = await startOn(backend);
    await run.advance(5);
    await run.validate();
    const agreed = (await run.parameters()).map((value) => value / 3);
    run.setParameters(agreed);
    const { values, average } = unpackTraining(await run.checkpoint());
    run.close();

    expect(values).toEqual(agreed);
    expect(average).toEqual({ values: agreed, taken: 0 });
  });

  it('takes as much memory more as is planned for it', async () => {
    const run = await startOn(backend);
    const plain = await startOn(backend, { controls: plainly });
    const [traced, without] = [run, plain].map((one) => planPrograms(one.layout, one.programs));
    const planned = [averaged, plainly].map((controls) =>
      families.dense_chronospike.plan(run.settings, controls, {
        vocabulary: corpus.tokenizer.size,
      }),
    );
    run.close();
    plain.close();

    expect(traced!.memoryBytes - without!.memoryBytes).toBe(run.layout.blockBytes + 4);
    expect(planned[0]!.memoryBytes - planned[1]!.memoryBytes).toBe(run.layout.blockBytes + 4);
  });
});

it.each([-0.1, 1.1, Number.NaN])('refuses to average over %d of the steps', (average) => {
  expect(() => controlsFor(stableBaseline, { average }, {})).toThrow(
    `average is ${average}: expected a number from 0 to 1`,
  );
});

async function textOf({ generator }: ChronospikeRun): Promise<string> {
  let text = '';
  const request = { prompt: 'Call', tokens: 9, temperature: 1, topK: 0, topP: 1, seed: 1 };
  for await (const piece of generator.generate(request)) text += piece;
  return text;
}
