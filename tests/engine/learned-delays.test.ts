import { describe, expect, it } from 'vitest';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { traceLoss, type LossOutputs } from '../../engine/losses/loss.ts';
import { ownLoss } from '../../engine/losses/combine.ts';
import { adam } from '../../engine/optimizers/descent.ts';
import { delayFeatures } from '../../engine/ops/delays.ts';
import { meanSteps } from '../../engine/ops/readout.ts';
import { rowSquaredError } from '../../engine/ops/row-losses.ts';
import { clockInput, createStepInputs, ratesInput } from '../../engine/ops/step-inputs.ts';
import { randomSource } from './random.ts';

const [STEPS, ROWS, WIDTH, TAPS] = [40, 4, 8, 12];
const PLAYS = 300;

/** Trains the delays of axons to turn random numbers into the same ones, later; returns where they end. */
async function learned(delays: readonly number[], sigmaAt: (progress: number) => number) {
  const layout = layOutParameters([
    { name: 'positions', shape: [WIDTH], initial: { kind: 'constant', value: 0 }, decayed: false },
  ]);
  const graph = new Graph('train', layout);
  const shape = [STEPS, ROWS, WIDTH];
  const data = randomSource(3).floats(STEPS * ROWS * WIDTH);
  const later = data.map((_, i) => data[i - delays[i % WIDTH]! * ROWS * WIDTH] ?? 0);
  const wanted = graph.constant('wanted', shape, later);
  const sigma = graph.local('sigma', 'f32', [1]);
  const options = { taps: TAPS, kernel: 'gaussian', sigma } as const;
  const values = delayFeatures(
    graph,
    graph.constant('data', shape, data),
    graph.parameter('positions'),
    options,
  );
  const outputs: LossOutputs = { name: 'axons', values, layers: [] };
  const loss = ownLoss('later', (own, { values: given }) =>
    meanSteps(own, rowSquaredError(own, given!, wanted)),
  );
  const clock = clockInput(graph);
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [1]);
  const history = graph.local('history', 'f32', [1]);
  const traced = traceLoss(graph, loss, { outputs, target: undefined }, { history, clock });
  traced.differentiate();
  const optimizer = adam(0.1);
  optimizer.update(graph, { clock, rates, norms });
  const program = graph.build();
  const backend = await openWasmBackend({ threads: 1 });
  const player = await backend.load(layout, [program]);
  const { value } = layout.get('positions');
  player.write(value, new Float32Array(WIDTH).fill((TAPS - 1) / 2));
  const inputs = createStepInputs({ ...optimizer, seed: [0, 0] });
  for (let step = 0; step < PLAYS; step++) {
    inputs.set(step, optimizer.learningRate);
    player.write(clock, inputs.clock);
    player.write(rates, inputs.rates);
    player.write(sigma, Float32Array.of(sigmaAt(step / PLAYS)));
    player.play(program);
  }
  const positions = [...(await player.read(value))];
  player.close();
  backend.close();
  return positions;
}

describe('delays that are learned', () => {
  it('find those that made the data while the Gaussians around them narrow', async () => {
    const delays = [0, 1, 3, 5, 6, 8, 10, 11];
    const positions = await learned(delays, (progress) => 5 * 0.1 ** progress);

    for (const [i, delay] of delays.entries()) {
      const position = Math.min(TAPS - 1, Math.max(0, positions[i]!));
      expect(Math.abs(position - delay), `delay ${delay}`).toBeLessThan(0.25);
      // Beyond the first and the last delay nothing draws a position further out but Adam's momentum.
      expect(Math.abs(positions[i]! - position), `delay ${delay}`).toBeLessThan(2);
    }
  });
});
