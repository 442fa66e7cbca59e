import { describe, expect, it } from 'vitest';
import { arrayOf, type PluginArray } from '../../../engine/index.ts';
import { ADAPTIVE } from '../neuron-texts.ts';
import { randomSource } from '../random.ts';
import { devices, managers, numbers, run, useBuiltIns } from './builtins.ts';

useBuiltIns();

describe.each(Object.keys(devices))('on %s', (device) => {
  it('the eye sees nothing in the dark, and an edge where there is one', async () => {
    const settings = { size: 5, wavelength: 4, steps: 8 };
    const image = (at: (x: number) => number) =>
      arrayOf(
        [8, 8],
        Array.from({ length: 64 }, (_, i) => at(i % 8)),
      );
    const dark = await run(device, 'VisionFrontPlugin', { image: image(() => 0) }, settings);
    const bar = await run(
      device,
      'VisionFrontPlugin',
      { image: image((x) => Number(x === 4)) },
      settings,
    );

    expect((bar['spikes'] as PluginArray).shape).toEqual([8, 64 * (bar['cells'] as []).length]);
    expect(numbers(dark, 'spikes')).not.toContain(1);
    expect(numbers(bar, 'spikes')).toContain(1);
  });

  it('the auditory front end puts a tone into its band', async () => {
    const rate = 16_000;
    const tone = Float32Array.from({ length: 3200 }, (_, i) =>
      Math.sin((2 * Math.PI * 1000 * i) / rate),
    );

    const answer = await run(device, 'AuditoryFrontPlugin', { waveform: arrayOf([3200], tone) });

    const frequencies = numbers(answer, 'frequencies');
    const { shape, data } = answer['spikes'] as PluginArray;
    const counts = frequencies.map((_, c) =>
      Array.from({ length: shape[0]! }, (__, t) => data[t * shape[1]! + c]!).reduce(
        (a, b) => a + b,
      ),
    );
    const loudest = frequencies[counts.indexOf(Math.max(...counts))]!;
    expect(Math.max(...counts)).toBeGreaterThan(0);
    expect(Math.abs(Math.log2(loudest / 1000))).toBeLessThan(0.75);
  });

  it('the hand goes where its population points', async () => {
    const [count, steps, wanted] = [64, 400, 1];
    const angles = Array.from({ length: count }, (_, i) => (2 * Math.PI * i) / count);
    const preferred = arrayOf(
      [count, 2],
      angles.flatMap((a) => [Math.cos(a), Math.sin(a)]),
    );
    const drawn = randomSource(4).floats(steps * count, 0, 1);
    const spikes = arrayOf(
      [steps, count],
      drawn.map((x, i) => Number(x < 0.5 + 0.5 * Math.cos(angles[i % count]! - wanted))),
    );

    const answer = await run(device, 'MotorDecoderPlugin', { spikes, preferred });

    const [x = 0, y = 0] = numbers(answer, 'command');
    expect(Math.atan2(y, x)).toBeCloseTo(wanted, 1);
    expect(Math.hypot(x, y)).toBeCloseTo(1, 1);
  });

  it('distillation asks nothing of a student that says what the teacher says', async () => {
    const logits = arrayOf([3, 4], randomSource(6).floats(12, -2, 2));
    const labels = arrayOf([3], [0, 3, 1]);
    const other = arrayOf([3, 4], randomSource(7).floats(12, -2, 2));
    const ask = (student: PluginArray, blend: number) =>
      run(device, 'DistillationPlugin', { student, teacher: logits, labels }, { blend });

    const same = await ask(logits, 1);
    const away = await ask(other, 0.5);

    expect(Math.max(...numbers(same, 'gradient').map(Math.abs))).toBeLessThan(1e-6);
    const gradient = numbers(away, 'gradient');
    expect(Math.max(...gradient.map(Math.abs))).toBeGreaterThan(0.01);
    for (let row = 0; row < 3; row++) {
      const sum = gradient.slice(4 * row, 4 * row + 4).reduce((a, b) => a + b, 0);
      expect(sum).toBeCloseTo(0, 5);
    }
    const wrong = { student: logits, teacher: logits, labels: arrayOf([3], [0, 4, 1]) };
    await expect(run(device, 'DistillationPlugin', wrong)).rejects.toThrow('labels[1] is 4');
  });
});

it.each([
  ['leaky neurons', ''],
  ['neurons that a user wrote', ADAPTIVE],
])('e-prop learns a pattern with %s', async (_neurons, equations) => {
  const device = 'wasm, plain, 1 thread';
  const steps = 50;
  const drawn = randomSource(11).floats(steps * 20, 0, 1);
  const spikes = arrayOf(
    [steps, 20],
    drawn.map((x) => Number(x < 0.1)),
  );
  const targets = arrayOf(
    [steps, 1],
    Array.from({ length: steps }, (_, t) => Math.sin((2 * Math.PI * t) / steps)),
  );
  const { loss: before } = await run(
    device,
    'EPropPlugin',
    { spikes, targets, learn: false },
    { equations },
  );
  const manager = managers.get(device)!;
  const plugin = manager.findPlugin('EPropPlugin')!;
  for (let i = 0; i < 40; i++) await manager.executePlugin(plugin, { spikes, targets });

  const { loss: after } = await manager.executePlugin(plugin, { spikes, targets, learn: false });

  expect(Number(after)).toBeLessThan(Number(before) / 3);
});
