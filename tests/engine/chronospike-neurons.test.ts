import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import {
  defaultEnergySettings,
  type EnergySettings,
  firstClosedStep,
  takeGateFigures,
} from '../../engine/models/dense-chronospike/energy.ts';
import { chronospikeLogits } from '../../engine/models/dense-chronospike/forward.ts';
import { parallelMixing } from '../../engine/models/dense-chronospike/mixing.ts';
import { traceTraining } from '../../engine/models/dense-chronospike/programs.ts';
import { traceGeneration } from '../../engine/models/dense-chronospike/reading-programs.ts';
import { createRuleState } from '../../engine/models/dense-chronospike/ruled-neurons.ts';
import {
  presets,
  structureOf,
  type TrainingSettings,
} from '../../engine/models/dense-chronospike/settings.ts';
import type { modelSpecOf } from '../../engine/models/dense-chronospike/family.ts';
import {
  chronospikeParameters,
  NEURON_TYPES,
} from '../../engine/models/dense-chronospike/structure.ts';
import {
  type ChronospikeOptions as TrainingOptions,
  createTrainingRun,
} from '../../engine/models/dense-chronospike/training.ts';
import { unpackTraining } from '../../engine/models/stored-model.ts';
import { energyGate } from '../../engine/ops/energy-gate.ts';
import { keep } from '../../engine/ops/keep.ts';
import { slotWord } from '../../engine/kernels/slots.ts';
import {
  type NeuronRules,
  plainRules,
  profiles,
  stableBaseline,
  type TrainingControls,
} from '../../engine/settings/controls.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { WRITTEN_KINDS } from './neuron-texts.ts';
import { openNovel } from './novel.ts';
import { noParameters, reference, variants } from './play.ts';
import { randomSource } from './random.ts';

const settings: TrainingSettings = {
  width: 16,
  heads: 2,
  blocks: 1,
  steps: 2,
  sequence: 16,
  batch: 8,
  learningRate: 0.02,
  seed: 1,
  budget: { kind: 'steps', steps: 40 },
};
type Kind = Pick<TrainingSettings, 'neuron' | 'equations'>;
const kinds: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(NEURON_TYPES.map((neuron) => [neuron, { neuron }])),
  ...WRITTEN_KINDS,
};
const plain = profiles.stable_converge;

describe('dense_chronospike', () => {
  let corpus: Corpus;
  let backend: Backend;
  beforeAll(async () => {
    corpus = await openNovel();
    backend = await variants['wasm, relaxed, 1 thread']();
  });
  afterAll(() => backend.close());

  const start = (
    changes: Partial<TrainingSettings>,
    { controls = plain, ...rest }: Partial<TrainingOptions> = {},
  ) =>
    createTrainingRun({
      ...{ backend, corpus, controls, ...rest },
      settings: { ...settings, ...changes },
    });

  /** Losses of a run that is stored after `cut` of `total` steps and goes on, and those of one that is not. */
  const lossesAround = async (
    cut: number,
    changes: Partial<TrainingSettings>,
    controls: TrainingOptions['controls'],
  ) => {
    const whole = await start(changes, { controls });
    const expected = (await whole.advance(settings.budget.kind === 'steps' ? 40 : 0)).losses;
    whole.close();
    const first = await start(changes, { controls });
    await first.advance(cut);
    const stored = unpackTraining(await first.checkpoint());
    first.close();
    const second = await start(changes, { controls, resume: stored });
    const { losses } = await second.advance(40 - cut);
    second.close();
    return { expected, resumed: losses, stored };
  };

  describe.each(Object.keys(kinds))('of %s neurons', (name) => {
    const kind = kinds[name]!;
    const { neuron } = kind;

    it('has the parameters of the specification', () => {
      const [v, d, blocks] = [65, 32, 3];
      const structure = structureOf({ ...settings, width: d, blocks, ...kind }, v);
      const { count } = layOutParameters(chronospikeParameters(structure));

      const own = { EvoLIF: 20 * d, written: 10 * d + 5, joined: 10 * d + 10 }[name] ?? 0;
      expect(count).toBe(2 * v * d + v + d + 1 + blocks * (12 * d ** 2 + 11 * d + own));
    });

    it('learns, fires, and resumes from its checkpoint to the last digit', async () => {
      const { expected, resumed, stored } = await lossesAround(21, kind, plain);

      expect(expected[0]).toBeGreaterThan(Math.log(63) - 0.5);
      expect(expected.at(-1)).toBeLessThan(3.2);
      expect(Array.from(resumed)).toEqual(Array.from(expected.subarray(21)));
      expect(stored.spec).toMatchObject({ neuron_type: neuron ?? 'LIF' });
    });

    it('reads tokens one by one with the logits of all at once', async () => {
      for (const { one, all } of await bothForms(kind)) expect(one).toBeCloseTo(all, 5);
    });

    it('shows membranes that cross the threshold where they fire', async () => {
      const run = await start(kind);
      await run.advance(5);
      const ids = randomSource(2).integers(settings.sequence, 60);
      const seen = await run.observer.observe(ids, 'blocks.0.up');
      run.close();

      const fires = (time: number, n: number) =>
        ((seen.spikes[time * Math.ceil(seen.neurons / 32) + (n >>> 5)]! >>> (n & 31)) & 1) === 1;
      let fired = 0;
      for (let i = 0; i < seen.membranes.length; i++) {
        const [time, n] = [Math.floor(i / seen.neurons), i % seen.neurons];
        const excess = seen.membranes[i]! - seen.threshold;
        expect(fires(time, n)).toBe(neuron === 'Izhikevich' ? excess >= 0 : excess > 0);
        if (fires(time, n)) fired++;
      }
      expect(fired).toBeGreaterThan(0);
    });
  });

  it('moves LIF’s beta by rewards, and stores it as that of the model', async () => {
    const { expected, resumed, stored } = await lossesAround(
      25,
      {},
      { ...profiles.stable_baseline, rewardClipValue: 0.1 },
    );

    const { core } = stored.spec as ReturnType<typeof modelSpecOf>;
    expect(Math.abs(core.beta - 0.9)).toBeGreaterThan(1e-3);
    expect(Math.fround(core.beta)).toBe(core.beta);
    expect(Array.from(resumed)).toEqual(Array.from(expected.subarray(25)));
  });

  it('keeps its beta where nothing is rewarded, and resumes from one that was moved', async () => {
    const rewarded = await start({}, { controls: profiles.stable_baseline });
    await rewarded.advance(10);
    const stored = unpackTraining(await rewarded.checkpoint());
    rewarded.close();
    const run = await start({}, { resume: stored });
    await run.advance(5);
    const { spec } = unpackTraining(await run.checkpoint());
    run.close();

    expect(spec.core).toEqual(stored.spec.core);
  });

  it('masks spikes while training where energy runs out, and none where it is supplied', async () => {
    const structure = structureOf({ ...settings, sequence: 600 }, 19);
    const layout = layOutParameters(chronospikeParameters(structure));
    const lossWith = async (supply: number, energyGating: boolean) => {
      const energy = { ...defaultEnergySettings, supply };
      const state = createRuleState(structure, { ...plainRules, energyGating }, energy);
      const train = traceTraining(
        layout,
        structure,
        { batch: 1, sequence: 600 },
        { ...plain, state },
      );
      const player = await backend.load(layout, [train.program]);
      for (const parameter of layout.parameters) {
        player.write(parameter.value, initialValues(parameter, 1));
      }
      if (state.supply) player.write(state.supply, Float32Array.of(1));
      player.write(train.ids, randomSource(1).integers(600, 19));
      player.write(train.targets, randomSource(2).integers(600, 19));
      player.play(train.program);
      const [loss] = await player.read(train.losses);
      const figures = await takeGateFigures(player, state.gates.values());
      player.close();
      return { loss, figures };
    };

    const open = await lossWith(0, false);
    expect(await lossWith(1, true)).toEqual(open);
    expect(open.figures).toEqual({});
    // Of 1200 time steps a neuron can pay for 246 then.
    const starved = await lossWith(0, true);
    expect(starved.loss).not.toBe(open.loss);
    const { gated_spikes, gated_neurons } = starved.figures;
    expect(gated_spikes).toBeGreaterThan(0);
    expect(gated_spikes).toBeLessThan(1);
    expect(gated_neurons).toBeGreaterThan(0);
  });

  // 5 a step against 1 a spike: the worst reward leaves 1.25.
  it.each(['tiny', 'small', 'base', 'large'] as const)(
    'leaves gates out of the %s preset, whose neurons can always pay',
    (name) => {
      const preset = { ...presets[name], blocks: 1 };
      const structure = structureOf(preset as TrainingSettings, 19);
      const layout = layOutParameters(chronospikeParameters(structure));
      const shape = { batch: 1, sequence: preset.sequence };
      const kernels = (change: Partial<TrainingControls>, supply = 5) => {
        const rules = { ...stableBaseline, ...change };
        const energy = { ...defaultEnergySettings, supply };
        const state = createRuleState(structure, rules, energy);
        const { program } = traceTraining(layout, structure, shape, { ...rules, state });
        return program.calls.map(({ kernel }) => kernel.name);
      };
      const without = kernels({ energyGating: false });

      expect(kernels({})).toEqual(without);
      expect(kernels({ rewardMode: 'raw', rewardClipValue: 1e-4 })).toEqual(without);
      expect(without).not.toContain('energy_gate');
      const starving = kernels({}, 0);
      // Over 64 steps no neuron of the tiny preset runs dry.
      expect(starving.includes('energy_gate')).toBe(name !== 'tiny');
    },
  );

  it('knows the step at which a gate can close', () => {
    const first = (
      energy: Partial<EnergySettings>,
      rewardMode: NeuronRules['rewardMode'] = 'off',
    ) => firstClosedStep({ ...defaultEnergySettings, ...energy }, { rewardMode });

    expect(first({})).toBeUndefined();
    expect(first({}, 'ema_delta')).toBeUndefined();
    // After 245 spikes 10 are left of 255, which rounding may take below the threshold.
    expect(first({ supply: 0 })).toBe(245);
    expect(first({ importance: 6 })).toBe(245);
    // The worst reward leaves 1.25 of a supply of 5.
    expect(first({ importance: 2.25 }, 'raw')).toBe(245);
    expect(first({ importance: 7, supply: 0 })).toBe(35);
    expect(first({ importance: 255, supply: 0, threshold: 255 })).toBe(1);
  });

  it('needs no energy gate where no reward starves it: it lets everything through', async () => {
    const [steps, sequence, width] = [4, 200, 7];
    const graph = new Graph('gate', noParameters);
    const spikes = graph.local('spikes', 'bits', [steps, sequence, width]);
    const inputs = {
      spikes,
      energy: graph.local('energy', 'f32', [1, width]),
      importance: graph.constant('importance', [width], new Float32Array(width).fill(1)),
      supply: graph.constant('supply', [1], Float32Array.of(1)),
    };
    const gated = keep(graph, 'gated', energyGate(graph, inputs, { sequence, carried: false }));
    const program = graph.build();
    const player = await reference.load(noParameters, [program]);
    const words = randomSource(1).spikes(steps * sequence, width, 0.97);
    player.write(spikes, words);
    player.play(program);

    expect(await player.read(gated)).toEqual(words);
  });

  it('hardens its spikes over the first part of a run, and resumes in the midst of it', async () => {
    const soft = { ...plain, relaxation: 0.5 };
    const { expected, resumed, stored } = await lossesAround(11, {}, soft);
    const hard = await start({});
    const { losses } = await hard.advance(1);
    hard.close();

    expect(expected[0]).not.toBe(losses[0]);
    expect(expected.at(-1)).toBeLessThan(3.2);
    expect(Array.from(resumed)).toEqual(Array.from(expected.subarray(11)));
    expect(stored.execution.controls).toMatchObject({ relaxation: 0.5, hard_spike_parity: false });
  });

  it('learns with carried state, measures a stream, and resumes to the last digit', async () => {
    const { expected, resumed } = await lossesAround(19, { carry: true }, profiles.stable_baseline);
    const run = await start({ carry: true });
    await run.advance(40);
    const { loss, figures } = await run.validate();
    const again = await run.validate();
    run.close();

    expect(expected.at(-1)).toBeLessThan(3.3);
    expect(Array.from(resumed)).toEqual(Array.from(expected.subarray(19)));
    expect(figures!['stream_loss']).toBeGreaterThan(2);
    expect(Math.abs(figures!['stream_loss']! - loss)).toBeLessThan(0.3);
    expect(again.figures).toEqual(figures);
  });
});

/** Logits of a text in the parallel and in the recurrent form, in float64. */
async function bothForms(kind: Kind): Promise<{ one: number; all: number }[]> {
  const tokens = 40;
  const structure = structureOf({ ...settings, blocks: 2, sequence: tokens, ...kind }, 19);
  const layout = layOutParameters(chronospikeParameters(structure));
  const graph = new Graph('parallel', layout);
  const ids = graph.local('ids', 'u32', [tokens]);
  const mixing = parallelMixing(graph, structure, tokens);
  const logits = keep(graph, 'kept', chronospikeLogits({ graph, structure, mixing }, ids));
  const parallel = graph.build();
  const recurrent = traceGeneration(layout, structure);
  const player = await reference.load(layout, [parallel, recurrent.program]);
  for (const parameter of layout.parameters) {
    // Membranes of a model that has learnt nothing yet lie close to rest.
    const gain = /norm\d\.weight$/.test(parameter.spec.name) ? 3 : 1;
    player.write(
      parameter.value,
      initialValues(parameter, 4).map((value) => gain * value),
    );
  }
  const text = randomSource(4).integers(tokens, structure.vocabulary);
  player.write(ids, text);
  player.play(parallel);
  const all = player.values(logits);
  const one: number[] = [];

  for (const [position, token] of text.entries()) {
    player.write(recurrent.ids, Uint32Array.of(token));
    player.write(recurrent.slots, Uint32Array.of(slotWord(0, position === 0)));
    player.play(recurrent.program);
    one.push(...player.values(recurrent.logits));
  }
  return one.map((x, i) => ({ one: x, all: all[i]! }));
}
