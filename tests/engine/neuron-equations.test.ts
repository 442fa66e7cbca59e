import { describe, expect, it } from 'vitest';
import { bindCall } from '../../engine/backends/webgpu/binders.ts';
import type { DeviceProfile } from '../../engine/backends/webgpu/profile.ts';
import { EngineError } from '../../engine/errors.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { compileStep } from '../../engine/neurons/closures.ts';
import { parseNeuron } from '../../engine/neurons/equations.ts';
import { NEURON_LIMITS } from '../../engine/neurons/limits.ts';
import type { LearnedParameter } from '../../engine/kernels/written-neuron.ts';
import { learnedInitial } from '../../engine/ops/learned-start.ts';
import { equationNeuron } from '../../engine/ops/equation-neuron.ts';
import { differentiate } from '../../engine/ops/gradients.ts';
import { profiles } from './shader-variants.ts';

const LIF = `
  state u = 0
  u = 0.9 * u + I
  s = spike(u - 1)
  u = u - s`;

describe('reading a neuron', () => {
  it('gives states, parameters and what is learned', () => {
    const neuron = parseNeuron(`
      state u = 0.5, w = -2   # two numbers
      learn beta = 0.95 in [0, 1] per neuron;  learn gain = 2 per layer; rho = 0.9; tau = 20 ms
      u = beta * u + gain * I - w
      s = spike(u - 1)
      w = rho * exp(-dt / tau) * w + 0.1 * s
      u = u - s`);

    expect(neuron.states).toEqual([
      { name: 'u', initial: 0.5 },
      { name: 'w', initial: -2 },
    ]);
    expect(neuron.parameters).toEqual([
      { name: 'rho', value: 0.9 },
      { name: 'tau', value: 20 },
    ]);
    expect(neuron.learned).toEqual([
      { name: 'beta', initial: 0.95, per: 'neuron', range: { lowest: 0, highest: 1 } },
      { name: 'gain', initial: 2, per: 'layer' },
    ]);
  });

  it('spreads what neurons begin with, within its range', () => {
    const [beta, free] = parseNeuron(`
      state u = 0
      learn beta = 0.5 spread 0.2 in [0, 1] per neuron;  learn gain = 2 spread 0.5 per neuron
      u = beta * u + gain * I
      s = spike(u - 1)
      u = u - s`).learned;
    const ends = (learned: LearnedParameter) => {
      const initial = learnedInitial(learned);
      if (initial.kind !== 'uniform') throw new Error('all neurons begin alike');
      const { bound, centre = 0 } = initial;
      return [centre - bound, centre + bound];
    };

    expect(ends(free!)).toEqual([1.5, 2.5]);
    const [low, high] = ends(beta!).map((x) => 1 / (1 + Math.exp(-x)));
    expect([low, high]).toEqual([expect.closeTo(0.3, 12), expect.closeTo(0.7, 12)]);
  });

  it('gives equal neurons one digest, whatever their spacing and comments', () => {
    const spaced = LIF.replaceAll(' ', '   ').replace('state', '# a neuron\r\nstate');

    expect(parseNeuron(spaced).digest).toBe(parseNeuron(LIF).digest);
    expect(parseNeuron(LIF.replace('0.9', '0.8')).digest).not.toBe(parseNeuron(LIF).digest);
  });
});

/** `bad` stands in for the leak of a neuron, line 2, from column 5 on. */
const leak = (bad: string) => `state u = 0\nu = ${bad}\ns = spike(u - 1)\nu = u - s`;

/** Lines that each take the value of the one before some twenty times. */
const GROWING = [
  'a0 = u',
  ...Array.from(
    { length: 30 },
    (_, i) =>
      `a${i + 1} = sin(a${i}) * cos(a${i} + ${i}) + tanh(a${i})^8 - abs(a${i} - 1)^7 * sqrt(a${i})`,
  ),
];

describe('a neuron is refused', () => {
  it.each([
    [
      'an unknown name',
      leak('0.9 * v + I'),
      'line 2, column 11: v has no value here: expected one of I, dt, u',
    ],
    ['an unknown function', leak('eval(u) + I'), 'line 2, column 5: there is no function eval'],
    ['a function that joins neurons', leak('rowSum(u) + I'), 'there is no function rowSum'],
    [
      'a number as a condition',
      leak('u ? 0 : I'),
      'line 2, column 5: the value is of type f32: expected a condition',
    ],
    ['a condition as a state', leak('u > I'), 'line 2, column 1: u is a state: expected a number'],
    ['no spike', 'state u = 0\nu = 0.9 * u + I', 'there is no spike: expected a line such as'],
    ['a second spike', `${LIF}\n  t = spike(u)`, 'line 6, column 7: a second spike: expected one'],
    [
      'a spike in a sum',
      leak('I').replace('spike', '1 + spike'),
      'line 3, column 9: spike(...) stands in a sum',
    ],
    [
      'a slope that is no value',
      leak('I').replace('1)', '1, 1 / (1 + y))'),
      'line 3, column 27: y has no value here',
    ],
    [
      'a slope whose x is something else',
      `x = 2\n${leak('I').replace('1)', '1, max(0, 1 - abs(x)))')}`,
      'line 4, column 33: x in a slope is what spike(...) is called with',
    ],
    [
      'a slope that divides by zero',
      leak('I').replace('1)', '1, x / (1 - 1))'),
      'line 3, column 20: division by zero',
    ],
    ['no state', 's = spike(I)', 'line 1, column 1: there is no state'],
    [
      'a state that nothing writes',
      `state w = 0\n${LIF}`,
      'line 1, column 7: the state w never changes',
    ],
    ['a state that grows', leak('1.5 * u + u * u + I'), 'line 1, column 7: u grows without bound'],
    ['division by zero', leak('u / (1 - 1) + I'), 'line 2, column 7: division by zero'],
    [
      'division by a parameter of zero',
      `k = 0\n${leak('u / k + I')}`,
      'line 3, column 9: division by k',
    ],
    ['an input that nothing uses', leak('0.9 * u'), 'nothing depends on the input I'],
    [
      'a learned parameter that nothing uses',
      `learn b = 1\n${LIF}`,
      'line 1, column 7: b is learned, but',
    ],
    [
      'a start beyond its range',
      `learn b = 1 in [0, 1]\n${LIF}`,
      'line 1, column 7: b starts at 1',
    ],
    [
      'a spread beyond its range',
      `learn b = 0.5 spread 0.5 in [0, 1]\n${LIF}`,
      'line 1, column 7: b starts at 0: expected a number between 0 and 1',
    ],
    [
      'a spread of nothing',
      `learn b = 0.5 spread 0\n${LIF}`,
      'line 1, column 7: b is spread by 0: expected a number above 0',
    ],
    [
      'a spread of one number',
      `learn b = 0.5 spread 0.1 per layer\n${LIF}`,
      'line 1, column 7: b is one number: expected a spread per neuron',
    ],
    [
      'a mean of itself',
      leak('I + groupMean(m)').replace('u = I', 'm = u\nm = groupMean(k)\nu = I'),
      'line 3, column 15: k has no value here',
    ],
    [
      'a mean of nothing',
      leak('groupMean() + I'),
      'line 2, column 15: ")" stands where a value was expected',
    ],
    [
      'a parameter that is changed',
      `b = 1\n${leak('b * u + I')}\nb = 2 * b`,
      'line 6, column 1: b is a parameter',
    ],
    ['the input as a target', `${LIF}\nI = 1`, 'line 6, column 1: I has a meaning already'],
    [
      'a method that is not there',
      `method heun\n${LIF}`,
      'line 1, column 8: there is no method heun',
    ],
    [
      'a rate of something else',
      'state u = 0\ndv/dt = I - u\nu = u + I\ns = spike(u)',
      'line 2, column 1: v is no state',
    ],
    [
      'an unclosed bracket',
      leak('(0.9 * u + I'),
      'line 2, column 17: "the end of the line" stands where ")"',
    ],
    [
      'brackets too deep',
      leak(`${'('.repeat(80)}u${')'.repeat(80)} + I`),
      'nested deeper than 64 levels',
    ],
    [
      'a text too long',
      `${LIF}\n#${'x'.repeat(NEURON_LIMITS.characters)}`,
      'characters: expected at most 4096',
    ],
    [
      'too many states',
      `state ${Array.from({ length: 9 }, (_, i) => `x${i} = 0`).join(', ')}`,
      '9 states: expected at most 8',
    ],
    ['too many equations', `${LIF}\n${'y = u\n'.repeat(64)}`, 'equations: expected at most 64'],
    [
      'more operations than a device should compute',
      `method rk4\nstate u = 0\n${GROWING.join('\n')}\ndu/dt = a30 + I - u\ns = spike(u)`,
      'operations: expected at most 2048',
    ],
  ])('for %s', (_, text, message) => {
    const refused = () => parseNeuron(text);

    expect(refused).toThrow(EngineError);
    expect(refused).toThrow(expect.objectContaining({ code: 'invalid-equation' }));
    expect(refused).toThrow(message);
  });
});

describe('differential equations', () => {
  /** A leak toward the input, whose course is known: v = I (1 - e^(-t / 10)). */
  const leaky = (method: string) => `
    method ${method}
    state v = 0
    tau = 10 ms
    dv/dt = (I - v) / tau
    s = spike(v - 100)
    v = v - s`;
  const after = (method: string, steps: number, dt: number) => {
    const step = compileStep(parseNeuron(leaky(method)));
    const state = new Float64Array(1);
    for (let i = 0; i < steps; i++) step(state, [10], 2, dt);
    return state[0]!;
  };
  const exact = 2 * (1 - Math.exp(-1));

  it('are exact by exponential Euler where they are linear', () => {
    expect(after('exponential_euler', 5, 2)).toBeCloseTo(exact, 12);
  });

  it.each([
    ['euler', 1, 1.7, 2.4],
    ['rk4', 4, 14, 18],
  ])('converge by %s with order %i', (method, _, atLeast, atMost) => {
    const error = (steps: number) => Math.abs(after(method, steps, 10 / steps) - exact);
    const ratio = error(5) / error(10);

    expect(ratio).toBeGreaterThan(atLeast);
    expect(ratio).toBeLessThan(atMost);
  });

  it('sees what stands in front of them at every place that Runge-Kutta looks at', () => {
    const direct = compileStep(parseNeuron(leaky('rk4')));
    const named = compileStep(
      parseNeuron(leaky('rk4').replace('dv/dt = (I - v) / tau', 'x = I - v\ndv/dt = x / tau')),
    );
    const [a, b] = [new Float64Array(1), new Float64Array(1)];
    direct(a, [10], 2, 5);
    named(b, [10], 2, 5);

    expect(b).toEqual(a);
  });
});

/** The shaders of a layer of these neurons, without the digest in their names. */
function shadersOf(text: string): string[] {
  const neuron = parseNeuron(text);
  const learned = neuron.learned.map(({ name }) => ({ name, shape: [WIDTH] }));
  const layout = layOutParameters(
    [{ name: 'current', shape: [2, 3, WIDTH] }, ...learned].map((one) => ({
      ...one,
      initial: { kind: 'constant', value: 0 },
      decayed: false,
    })),
  );
  const graph = new Graph('names', layout);
  const tensors = Object.fromEntries(learned.map(({ name }) => [name, graph.parameter(name)]));
  const spikes = equationNeuron(
    graph,
    graph.parameter('current'),
    { neuron, learned: tensors },
    {
      ...{ steps: 2, surrogate: 'atan' },
    },
  );
  differentiate(graph, spikes, graph.local('seed', 'f32', spikes.shape));
  const [profile] = profiles as [DeviceProfile];
  const own = graph.build().calls.filter(({ kernel }) => kernel.name.startsWith('equations_'));
  return own.map((call) =>
    (bindCall(call, profile).generated?.code ?? '').replaceAll(neuron.digest.slice(0, 32), ''),
  );
}
const WIDTH = 40;

it('keeps names out of shaders, even words of WGSL', () => {
  const plain = `
    state u = 0, w = 0
    learn b = 0.5 in [0, 1] per neuron;  r = 0.9
    u = b * u + I - w
    s = spike(u - 1)
    w = r * w + 0.1 * s
    u = u - s`;
  const words = { u: 'fn', w: 'loop', b: 'override', r: 'storage', s: 'workgroup' };
  const renamed = Object.entries(words).reduce(
    (text, [name, word]) => text.replaceAll(new RegExp(String.raw`\b${name}\b`, 'g'), word),
    plain,
  );

  expect(shadersOf(renamed)).toEqual(shadersOf(plain));
  expect(shadersOf(renamed)).toHaveLength(2);
});
