import { describe, expect, it } from 'vitest';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import {
  adamW,
  crossEntropyPerStep,
  evaluate,
  type ExampleArrays,
  fit,
  type FitOptions,
  init,
  lif,
  linear,
  load,
  type Model,
  sequential,
} from '../../library/index.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';
import { openWatched } from './watched-gpu.ts';

/** Points on both sides of a line, with noise that nobody can learn. */
function sides(count: number, seed: number): ExampleArrays {
  const from = randomSource(seed);
  const x = from.floats(2 * count, -1, 1);
  const y = Array.from({ length: count }, (_, i) =>
    Number(x[2 * i]! + x[2 * i + 1]! + from.uniform(-0.8, 0.8) > 0),
  );
  return { x, y };
}

const network = sequential([linear(12), lif({ beta: 0.8 }), linear(2), lif({ beta: 0.8 })], {
  input: 2,
  steps: 5,
});
const train = sides(60, 1);
const validation = sides(30, 2);
const options = {
  loss: crossEntropyPerStep(),
  optimizer: adamW(0.05),
  batchSize: 20,
  seed: 3,
  validation,
} satisfies FitOptions;

// Files hold float32, as are the numbers of WASM.
const wasm = () => openWasmBackend({ threads: 1 });

async function trained(more: Partial<FitOptions>, model?: Model) {
  const own = model ?? (await init(network, { device: reference, seed: 4 }));
  return { model: own, history: await fit(own, train, { ...options, ...more }) };
}

describe('training that is resumed', () => {
  it.each([
    ['the best epoch and when to stop', { keepBest: true, earlyStopping: { patience: 4 } }],
    ['the best accuracy', { keepBest: true, earlyStopping: { patience: 4, by: 'accuracy' } }],
    ['a moving average', { average: { decay: 0.9 } }],
    ['a mean of epochs, and the best of them', { average: { from: 2 }, keepBest: true }],
  ] as const)('has %s as if there had been no break', async (_name, more) => {
    const backend = await wasm();
    const start = () => init(network, { device: backend, seed: 4 });
    const whole = await trained({ ...more, epochs: 12 }, await start());
    const stopAt = 3;

    const first = await trained(
      { ...more, epochs: 12, onEpoch: ({ epoch }) => (epoch === stopAt ? 'stop' : undefined) },
      await start(),
    );
    const fresh = await init(network, { device: backend, seed: 99 });
    const resume = first.history.save();
    const second = await trained({ ...more, epochs: 12, resume }, fresh);
    backend.close();

    expect(first.history).toMatchObject({ ended: 'stopped', step: 3 * stopAt });
    const { ended, step, best } = whole.history;
    expect(second.history).toMatchObject({ ended, step, best });
    const judged = [...first.history.epochs, ...second.history.epochs].map((one) => one.validation);
    expect(judged).toEqual(whole.history.epochs.map((one) => one.validation));
    expect(fresh.values).toEqual(whole.model.values);
    expect(second.history.save()).toEqual(whole.history.save());
  });

  it('ends at once where it had ended early, and goes on with more patience', async () => {
    const stopping = { patience: 1 };
    const { model, history } = await trained({ epochs: 40, earlyStopping: stopping });
    const resume = history.save();

    const again = await trained({ epochs: 40, earlyStopping: stopping, resume }, model);
    const longer = await trained({ epochs: 40, earlyStopping: { patience: 2 }, resume }, model);

    expect(history.ended).toBe('early');
    expect(again.history).toMatchObject({ ended: 'early', step: history.step, epochs: [] });
    expect(longer.history.step).toBeGreaterThan(history.step);
  });

  it('goes on from what an epoch saved', async () => {
    const backend = await wasm();
    const files: Uint8Array[] = [];
    const whole = await trained(
      { epochs: 4, onEpoch: async (_report, _model, save) => void files.push(await save()) },
      await init(network, { device: backend, seed: 4 }),
    );
    const fresh = await init(network, { device: backend, seed: 99 });

    const second = await trained({ epochs: 4, resume: files[1]! }, fresh);
    backend.close();

    expect(second.history.epochs.map(({ epoch }) => epoch)).toEqual([3, 4]);
    expect(fresh.values).toEqual(whole.model.values);
  });

  it.each([
    [{ average: { decay: 0.9 } }, {}, 'average none, the options have decay 0.9'],
    [{ keepBest: true }, {}, 'keepBest false, the options have true'],
    [
      { earlyStopping: { patience: 3, by: 'accuracy' } },
      { earlyStopping: { patience: 3 } },
      'earlyStopping by loss, the options have accuracy',
    ],
  ] as const)('with %j names what it was trained with', async (asked, given, message) => {
    const { model, history } = await trained({ epochs: 1, ...given });

    const again = trained({ epochs: 2, ...asked, resume: history.save() }, model);

    await expect(again).rejects.toThrow(`fit: what it resumes was trained with ${message}`);
  });
});

describe('averaged parameters', () => {
  /** Parameters after every epoch, without an average. */
  async function plainEpochs(epochs: number, batchSize: number) {
    const seen: Float32Array[] = [];
    const onEpoch = (_: unknown, { values }: Model) => void seen.push(values.slice());
    await trained({ epochs, batchSize, onEpoch });
    return seen;
  }

  it('are the mean of those at the ends of epochs from one on', async () => {
    const seen = await plainEpochs(5, 20);

    const { model } = await trained({ epochs: 5, average: { from: 3 } });

    const wanted = seen[0]!.map((_, i) => (seen[2]![i]! + seen[3]![i]! + seen[4]![i]!) / 3);
    expect(distance(model.values, wanted)).toBeLessThan(1e-6);
    expect(distance(model.values, seen[4]!)).toBeGreaterThan(1e-3);
  });

  it('are a moving average over steps', async () => {
    // One step an epoch, so that the parameters behind every step are seen.
    const seen = await plainEpochs(5, 60);

    const { model } = await trained({ epochs: 5, batchSize: 60, average: { decay: 0.7 } });

    const wanted = seen[0]!.map((first, i) =>
      seen.slice(1).reduce((mean, values) => 0.7 * mean + 0.3 * values[i]!, first),
    );
    expect(distance(model.values, wanted)).toBeLessThan(1e-6);
  });

  it('are those that are judged, and leave training as it is', async () => {
    const plain = await trained({ epochs: 4 });
    const losses: number[] = [];
    const onEpoch = async (report: { readonly validation?: { loss?: number } }, model: Model) => {
      const { loss } = await evaluate(model, validation, { loss: options.loss });
      losses.push(report.validation!.loss! - loss!);
    };

    const { history } = await trained({ epochs: 4, average: { decay: 0.5 }, onEpoch });

    expect(history.losses).toEqual(plain.history.losses);
    expect(history.epochs.at(-1)!.validation).not.toEqual(plain.history.epochs.at(-1)!.validation);
    // `evaluate` begins from float32.
    for (const difference of losses) expect(Math.abs(difference)).toBeLessThan(1e-6);
  });

  const distance = (a: Float32Array, b: Float32Array) =>
    a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);
});

describe('training on a device that is lost', () => {
  it('says where it was, what is left and how to go on', async () => {
    const { backend, device } = await openWatched();
    const model = await init(network, { device: backend, seed: 4 });
    let saved: Uint8Array | undefined;
    let kept: Float32Array | undefined;
    const lost = trained(
      {
        epochs: 9,
        async onEpoch({ epoch }, _model, save) {
          if (epoch !== 2) return;
          [saved, kept] = [await save(), model.values.slice()];
          device().destroy();
        },
      },
      model,
    );

    await expect(lost).rejects.toMatchObject({
      code: 'device-lost',
      message:
        'fit: the WebGPU device was lost: device was destroyed, in epoch 3 behind step 6; the model has the ' +
        'parameters that epoch 2 ended with: open a device anew and go on there with load(model.save()), and bit by ' +
        'bit with the option resume, given what save() of onEpoch wrote',
    });
    expect(model.values).toEqual(kept);
    const again = await load(model.save(), { device: reference });
    const { history } = await trained({ epochs: 3, resume: saved! }, again);
    expect(history).toMatchObject({ ended: 'epochs', step: 9 });
  });
});
