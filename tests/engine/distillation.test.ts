import { describe, expect, it } from 'vitest';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { distillationLoss } from '../../engine/ops/distillation.ts';
import { clockInput } from '../../engine/ops/step-inputs.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

const [ROWS, CLASSES] = [6, 5];
const classes = Uint32Array.of(4, 0, 2, 2, 1, 3);

function softmax(logits: readonly number[]): number[] {
  const powers = logits.map(Math.exp);
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** The loss of a student and its gradient, as functions of the logits. */
async function student(temperature: number, blend: number) {
  const shape = [2, ROWS / 2, CLASSES];
  const initial = { kind: 'constant', value: 0 } as const;
  const layout = layOutParameters([{ name: 'logits', shape, initial, decayed: false }]);
  const graph = new Graph('distillation', layout);
  const from = randomSource(2);
  const taught = Array.from({ length: ROWS }, () => softmax([...from.floats(CLASSES, -2, 2)]));
  const teacher = graph.constant('teacher', shape, Float32Array.from(taught.flat()));
  const targets = graph.constant('targets', [ROWS], classes);
  const history = graph.local('history', 'f32', [1]);
  const settings = { history, clock: clockInput(graph), temperature, blend };
  const soft = { teacher, targets };
  differentiate(graph, distillationLoss(graph, graph.parameter('logits'), soft, settings));
  const program = graph.build();
  const player = await reference.load(layout, [program]);
  const { value, gradient } = layout.get('logits');
  const logits = player.values(value);
  const loss = () => {
    player.play(program);
    return player.values(history)[0]!;
  };
  return { logits, loss, gradient: () => player.values(gradient).slice(), taught };
}

describe('distillation', () => {
  it.each([
    [1, 0],
    [4, 1],
    [2.5, 0.3],
  ])(
    'at temperature %f with a blend of %f has the gradient that differences give',
    async (temperature, blend) => {
      const { logits, loss, gradient } = await student(temperature, blend);
      logits.set(randomSource(4).floats(logits.length, -3, 3));
      loss();
      const traced = gradient();

      for (let i = 0; i < logits.length; i++) {
        const centre = logits[i]!;
        logits[i] = centre + 1e-5;
        const above = loss();
        logits[i] = centre - 1e-5;
        const below = loss();
        logits[i] = centre;
        // The teacher's float32 rows add up to 1 to 1e-7 only.
        expect(Math.abs(traced[i]! - (above - below) / 2e-5)).toBeLessThan(2e-6);
      }
    },
  );

  it('is the cross-entropy of the targets without a teacher', async () => {
    const { logits, loss } = await student(3, 0);
    logits.set(randomSource(5).floats(logits.length, -3, 3));

    const expected = [...classes].map((target, r) => {
      const row = [...logits.subarray(r * CLASSES, (r + 1) * CLASSES)];
      return -Math.log(softmax(row)[target]!);
    });
    expect(loss()).toBeCloseTo(expected.reduce((a, b) => a + b, 0) / ROWS, 12);
  });

  it('has no gradient where the student answers as its teacher does at the temperature', async () => {
    const temperature = 3;
    const { logits, loss, gradient, taught } = await student(temperature, 1);
    logits.set(taught.flat().map((q) => temperature * Math.log(q)));
    loss();

    expect(Math.max(...gradient().map(Math.abs))).toBeLessThan(1e-7);
  });

  it.each([
    [0, 0.5, /temperature is 0/],
    [Number.NaN, 0.5, /temperature is NaN/],
    [2, 1.5, /blend is 1.5: expected a number from 0 to 1/],
  ])('refuses temperature %f with a blend of %f', async (temperature, blend, message) => {
    await expect(student(temperature, blend)).rejects.toThrow(message);
  });
});
