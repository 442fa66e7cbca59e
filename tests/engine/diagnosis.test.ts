import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { diagnoseObservations } from '../../engine/diagnosis/diagnose.ts';
import type { LayerReading, Observations } from '../../engine/diagnosis/observations.ts';
import { evidenceText, remedyText } from '../../engine/diagnosis/sentences.ts';
import {
  adamW,
  applyRemedy,
  type Backend,
  crossEntropy,
  diagnose,
  fit,
  init,
  lif,
  linear,
  sequential,
  squaredError,
} from '../../library/index.ts';
import {
  accuracyOf,
  BROKEN,
  diagnosisOf,
  grow,
  HEALTHY,
  healthyOf,
  mend,
} from './broken-networks.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

const layer: LayerReading = {
  name: '1',
  neurons: 32,
  weights: '0',
  rate: 0.2,
  dead: 0.1,
  saturated: 0,
  membranes: { threshold: 1, distance: 1, high: 1.2, width: 1, slope: 0.2, fittingWidth: 3 },
  gradients: [0.012, 0.011, 0.01, 0.009, 0.006, 0.003],
};
const losses = Array.from({ length: 100 }, (_, step) => 2 - step / 100);
const healthy: Observations = {
  layers: [layer],
  weights: [{ name: '0', count: 320, size: 0.2, firstSize: 0.18 }],
  inputs: { mean: 0.1, deviation: 0.3 },
  training: { losses, norms: losses.map(() => 1), learningRate: 0.01, isAdaptive: true },
  labels: { accuracy: 0.8, chance: 0.25, deviation: 0.02, reached: 0.9 },
};
const stuck = { losses: losses.map(() => 2) };

const causesOf = (observed: Observations) =>
  diagnoseObservations(observed).map(({ cause }) => cause);

describe('the rules', () => {
  it('find nothing in a healthy network', () => {
    expect(diagnoseObservations(healthy)).toEqual([]);
  });

  it('find nothing where nothing was measured', () => {
    expect(diagnoseObservations({ layers: [], weights: [] })).toEqual([]);
  });

  it.each<[string, Partial<Observations>]>([
    ['silent', { layers: [{ ...layer, rate: 0.001, dead: 0.95 }] }],
    ['saturated', { layers: [{ ...layer, rate: 0.97, dead: 0, saturated: 0.6 }] }],
    [
      'surrogate-out-of-reach',
      { layers: [{ ...layer, membranes: { ...layer.membranes!, slope: 0.002 } }] },
    ],
    ['exploding', { layers: [{ ...layer, gradients: [81, 27, 9, 3, 1, 0.1] }] }],
    ['rate-too-high', { training: { ...healthy.training!, ...stuck, learningRate: 1 } }],
    ['rate-too-low', { training: { ...healthy.training!, ...stuck, learningRate: 1e-5 } }],
    ['labels-shuffled', { labels: { ...healthy.labels!, accuracy: 0.26, reached: 0.24 } }],
  ])('find %s alone', (cause, broken) => {
    expect(causesOf({ ...healthy, ...broken })).toEqual([cause]);
  });

  it('find an odd scale of the inputs only where something suffers from it', () => {
    const inputs = { mean: 900, deviation: 300 };
    const layers = [{ ...layer, rate: 0.97, dead: 0, saturated: 0.6 }];

    expect(causesOf({ ...healthy, inputs })).toEqual([]);
    expect(causesOf({ ...healthy, inputs, layers })).toEqual(['input-scale']);
  });

  it('name the first of several silent layers', () => {
    const silent = { ...layer, rate: 0, dead: 1 };

    const [finding] = diagnoseObservations({
      ...healthy,
      layers: [layer, { ...silent, name: '3' }, { ...silent, name: '5' }],
    });

    expect(finding).toMatchObject({ cause: 'silent', layer: '3' });
    expect(finding!.evidence.map(evidenceText)[0]).toBe(
      'spikes per neuron and step 0 (healthy: at least 0.002)',
    );
  });

  it('keep the weights of a network that has learned, and no others', () => {
    const layers = [{ ...layer, rate: 0.001, dead: 0.95 }];
    const training = { ...healthy.training!, ...stuck };

    const [learned] = diagnoseObservations({ ...healthy, layers });
    const [unlearned] = diagnoseObservations({ ...healthy, layers, training });

    expect(remedyText(learned!.remedy!)).toBe(
      'a new run from the last good checkpoint with threshold of layer 1 1.2 in place of 1',
    );
    expect(unlearned!.remedy!.from).toBe('new-weights');
  });
});

describe('a diagnosis', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await openWasmBackend({ threads: 1 });
  });
  afterAll(() => backend.close());

  // One of each cause; `npm run bench -- --only doctor` has all of them.
  it.each(BROKEN.filter(({ seed }) => [2, 5, 9, 11, 15, 16, 18, 20].includes(seed)))(
    'names $cause: $name',
    async (one) => {
      const grown = await grow(one, backend);

      const { findings } = await diagnosisOf(grown);

      expect(findings[0]?.cause).toBe(one.cause);
    },
  );

  it.each(BROKEN.filter(({ seed }) => [2, 9, 18].includes(seed)))('mends $name', async (one) => {
    const health = await accuracyOf(await grow(healthyOf(one), backend));
    const grown = await grow(one, backend);
    const [finding] = (await diagnosisOf(grown)).findings;

    const mended = await mend(grown, finding!);

    expect(await accuracyOf(grown)).toBeLessThan(health - 0.3);
    expect(await accuracyOf(mended)).toBeGreaterThan(health - 0.01);
  });

  it.each(HEALTHY.filter(({ seed }) => seed === 21))('finds nothing in $name', async (one) => {
    const { findings } = await diagnosisOf(await grow(one, backend));

    expect(findings).toEqual([]);
  });

  it('leaves model, data and options of its parent as they are', async () => {
    const grown = await grow(
      BROKEN.find(({ seed }) => seed === 18)!,
      backend,
    );
    const { model, data, options } = grown;
    const before = [model.values.slice(), data.x.slice(), JSON.stringify(model.network)];
    const [finding] = (await diagnosisOf(grown)).findings;

    const remedied = await applyRemedy(grown, finding!);
    await fit(remedied.model, remedied.data, { ...remedied.options, epochs: 1 });

    expect([model.values, data.x, JSON.stringify(model.network)]).toEqual(before);
    expect(remedied.options.optimizer).toEqual(options.optimizer);
    expect(remedied.changes.map(({ setting }) => setting)).toEqual(['input-offset', 'input-scale']);
  });
});

describe('what is measured', () => {
  const network = sequential([linear(7), lif(), linear(3), lif()], { input: 5, steps: 6 });
  const x = randomSource(3).floats(64 * 5, -2, 2);
  const y = Uint8Array.from({ length: 64 }, (_, i) => i % 3);
  const options = { loss: crossEntropy({ on: 'counts' }), optimizer: adamW(0.01), batchSize: 64 };

  it('has the gradient that training has', async () => {
    const model = await init(network, { device: reference });
    const { observations } = await diagnose(model, { x, y }, options);
    const { norms } = await fit(model, { x, y }, options);

    const all = Math.hypot(...observations.weights.map(({ gradient = 0 }) => gradient));
    expect(observations.weights.map(({ name }) => name)).toEqual(['0', '2']);
    expect(all).toBeCloseTo(norms[0]!, 5);
  });

  it('has a gradient for each time step, whose sum is that of the bias', async () => {
    // One example, so that the gradient of a bias is the sum over steps of that of the current.
    const one = { x: x.slice(0, 5), y: Float32Array.of(0.3) };
    const single = sequential([linear(1), lif()], { input: 5, steps: 6 });
    const model = await init(single, { device: reference, seed: 2 });
    model.parameter('0.weight').fill(0);
    model.parameter('0.bias').fill(0.4);
    const loss = squaredError({ on: 'membranes-sum' });
    const { observations } = await diagnose(model, one, { ...options, loss, batchSize: 1 });

    const [neurons] = observations.layers;
    const sum = neurons!.gradients!.reduce((total, norm) => total + norm, 0);
    const plus = await lossAt(0.4 + 1e-4);
    const minus = await lossAt(0.4 - 1e-4);

    expect(neurons!.gradients).toHaveLength(6);
    // The scores are float32.
    expect(sum / (Math.abs(plus - minus) / 2e-4)).toBeCloseTo(1, 3);

    async function lossAt(bias: number) {
      model.parameter('0.bias').fill(bias);
      const { scores } = await model.predict(one.x, { count: 1, on: 'membranes-sum' });
      return (scores[0]! - 0.3) ** 2;
    }
  });

  it('refuses data without an example by name', async () => {
    const model = await init(network, { device: reference });

    await expect(diagnose(model, { x: new Float32Array(), y: [] }, options)).rejects.toThrow(
      /x has 0 elements/,
    );
  });
});
