import { describe, expect, it } from 'vitest';
import { neuronModel } from '../../../engine/index.ts';
import { firingRates, runNeuron } from '../../../web/neuron-lab/host/run-neuron.ts';
import { fixedPoints, nullclines } from '../../../web/neuron-lab/izhikevich-plane.ts';
import { knobsOf, presetValues, readKnobs, writeKnobs } from '../../../web/neuron-lab/knobs.ts';
import { currentOf, STIMULI, type Stimulus } from '../../../web/neuron-lab/stimulus.ts';

const RS = { a: 0.02, b: 0.2, c: -65, d: 8 };

describe('a neuron that runs on its own', () => {
  it('fires as its equations say: a leaky integrator without leak, every tenth step', () => {
    const model = neuronModel('lif');
    const request = {
      model: 'lif',
      parameters: [1e6, 1, 0],
      dt: 1,
      currents: new Float64Array(100).fill(0.1001),
    };
    const { spikes, states } = runNeuron(model, request);
    expect(spikes.slice(0, 3)).toEqual([9, 19, 29]);
    expect(states[0]).toHaveLength(100);
  });

  it('is silent below its rheobase and fires faster with more current', () => {
    const request = { model: 'izhikevich', parameters: Object.values(RS), dt: 0.5 };
    const currents = Float64Array.of(0, 3, 10, 20);
    const [none, below, some, more] = firingRates(neuronModel('izhikevich'), {
      ...request,
      currents,
    });
    expect([none, below]).toEqual([0, 0]);
    expect(some).toBeGreaterThan(10);
    expect(more).toBeGreaterThan(some!);
  });
});

describe('the input current', () => {
  const stimulus: Stimulus = {
    shape: 'step',
    amplitude: 2,
    from: 10,
    to: 20,
    frequency: 100,
    seed: 1,
  };
  const at = (shape: Stimulus['shape'], normal = () => 1) =>
    currentOf({ ...stimulus, shape }, { dt: 1, steps: 30 }, normal);

  it.each(STIMULI.filter((shape) => shape !== 'constant'))('of a %s is 0 outside', (shape) => {
    expect([...at(shape).slice(0, 10), ...at(shape).slice(20)].every((i) => i === 0)).toBe(true);
  });

  it('has the form that its name says', () => {
    expect([...new Set(at('constant'))]).toEqual([2]);
    expect([...at('step').slice(10, 20)]).toEqual(Array(10).fill(2));
    expect(at('ramp')[15]).toBe(1);
    // 100 Hz is a period of 10 ms, a fifth of which is on.
    expect([...at('pulses').slice(10, 20)]).toEqual([2, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(at('sine')[12]).toBeCloseTo(2 * Math.sin(2 * Math.PI * 0.2), 12);
    expect(at('noise', () => -3)[12]).toBe(-6);
  });
});

describe("Izhikevich's phase plane", () => {
  it('has its fixed points where the nullclines meet', () => {
    const at = { b: RS.b, current: 0 };
    const points = fixedPoints(at, RS.a);
    // The published resting state of a regular spiking neuron, and its threshold.
    expect(points.map(({ v }) => Math.round(1e9 * v) / 1e9)).toEqual([-70, -50]);
    expect(points.map(({ kind }) => kind)).toEqual(['stable', 'saddle']);
    for (const { v, u } of points) expect(0.04 * v * v + 5 * v + 140).toBeCloseTo(u, 9);
    expect(fixedPoints({ b: RS.b, current: 10 }, RS.a)).toEqual([]);
  });

  it('draws each nullcline over the whole width', () => {
    const { v, u } = nullclines({ b: 0.25, current: 5 }, [-80, 30]);
    expect([v.x[0], v.x.length, v.x[v.x.length - 1]]).toEqual([-80, 161, 30]);
    expect(v.y[0]).toBeCloseTo(0.04 * 6400 - 400 + 140 + 5, 9);
    expect(u.y[0]).toBe(-20);
  });
});

describe('sliders', () => {
  const knobs = knobsOf(neuronModel('izhikevich'));

  it('are written into the address and read back, all but initial values', () => {
    const values = { ...readKnobs(knobs, ''), a: 0.1, I: -3 };
    expect(writeKnobs(knobs, values)).toBe('a:0.1,I:-3');
    expect(readKnobs(knobs, 'a:0.1,I:-3')).toEqual(values);
    expect(writeKnobs(knobs, readKnobs(knobs, ''))).toBe('');
  });

  // Not a number, not allowed, not known, and nothing at all.
  it.each(['a:NaN', 'a:1e9', 'zz:3', 'a:', ':::', 'c:1000'])('take no notice of %s', (written) => {
    expect(readKnobs(knobs, written)).toEqual(readKnobs(knobs, ''));
  });

  it('scale the input with the threshold of a preset', () => {
    const model = neuronModel('lif_reset');
    const initial = readKnobs(knobsOf(model), '');
    const values = presetValues(knobsOf(model), { threshold: 20, reset: 10 });
    expect(values['I']).toBeCloseTo(20 * initial['I']!, 12);
    expect(values['reset']).toBe(10);
  });
});
