import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arrayOf,
  checkValues,
  EngineError,
  parseMetadata,
  type Ports,
  settings,
} from '../../../engine/index.ts';
import {
  configurationFaults,
  defaultsOf,
  parseConfiguration,
} from '../../../engine/plugins/configuration.ts';
import { dependencyOrder } from '../../../engine/plugins/dependencies.ts';

const schema = settings({
  tau: { type: 'number', title: 'tau', default: 20, exclusiveMinimum: 0, maximum: 100 },
  steps: { type: 'integer', title: 'steps', default: 8, minimum: 1 },
  soft: { type: 'boolean', title: 'soft', default: true },
  kind: { type: 'string', title: 'kind', default: 'a', enum: ['a', 'b'] },
});

describe('a configuration', () => {
  it('has a value for every setting', () => {
    expect(parseConfiguration(schema, { tau: 5 })).toEqual({
      tau: 5,
      steps: 8,
      soft: true,
      kind: 'a',
    });
  });

  it.each([
    ['tau', Number.NaN, 'got NaN, expected a finite number above 0 and at most 100'],
    ['tau', Infinity, 'got Infinity, expected a finite number above 0 and at most 100'],
    ['tau', 0, 'got 0, expected a finite number above 0 and at most 100'],
    ['tau', -1, 'got -1, expected a finite number above 0 and at most 100'],
    ['tau', 101, 'got 101, expected a finite number above 0 and at most 100'],
    ['tau', '5', 'got "5", expected a finite number above 0 and at most 100'],
    ['steps', 1.5, 'got 1.5, expected a whole number at least 1'],
    ['soft', 1, 'got 1, expected true or false'],
    ['kind', 'c', 'got "c", expected one of a, b'],
    ['taw', 5, 'unknown name, expected tau, steps, soft, kind'],
    ['__proto__', 5, 'unknown name, expected tau, steps, soft, kind'],
  ])('refuses %s of %s', (name, value, detail) => {
    const given = Object.fromEntries([[name, value]]);

    expect(configurationFaults(schema, given)).toEqual([{ name, detail }]);
  });

  it('takes exactly the numbers of its range', () => {
    fc.assert(
      fc.property(fc.double(), (tau) => {
        const isRight = tau > 0 && tau <= 100;
        expect(configurationFaults(schema, { tau }).length === 0).toBe(isRight);
      }),
    );
  });

  it('names all that is wrong', () => {
    expect(() => parseConfiguration(schema, { tau: 0, kind: 'c' })).toThrow(/tau: .*; kind: /);
  });

  it('takes its own defaults', () => {
    expect(configurationFaults(schema, defaultsOf(schema))).toEqual([]);
  });
});

describe('metadata of a stranger', () => {
  const right = {
    name: 'Mine',
    type: 'NEURON',
    version: '1.0.0',
    description: '',
    dependencies: {},
    configuration: { type: 'object', properties: {} },
    inputs: {},
    outputs: {},
  };

  it.each([
    ['nothing', undefined, 'its metadata is nothing, expected an object'],
    ['a list', [], 'its metadata is [], expected an object'],
    ['no name', { ...right, name: '' }, 'name is "", expected a letter'],
    ['a path as its name', { ...right, name: '../x' }, 'name is "../x"'],
    ['another type', { ...right, type: 'Neuron' }, 'type is "Neuron", expected NEURON, ENCODER'],
    ['no version', { ...right, version: '1.0' }, 'version is "1.0", expected a version'],
    ['no range', { ...right, dependencies: { A: 'new' } }, 'dependencies.A is "new"'],
    [
      'a default out of its range',
      {
        ...right,
        configuration: settings({ n: { type: 'integer', title: '', default: 0, minimum: 1 } }),
      },
      'configuration.n.default',
    ],
    [
      'a port without axes',
      { ...right, inputs: { x: { kind: 'array', description: '' } } },
      'inputs.x.axes is nothing, expected the names of its axes',
    ],
  ])('is refused with %s', (_, value, message) => {
    expect(() => parseMetadata(value)).toThrow(message);
  });

  it('never throws anything but a refusal', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 4 }), (value) => {
        expect(refusalOf(() => parseMetadata(value))).toBe('plugin-refused');
      }),
    );
  });
});

/** The code of what is thrown. */
function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof EngineError ? error.code : error;
  }
}

describe('the ports of a plugin', () => {
  const ports: Ports = {
    pre: { kind: 'array', axes: ['T', 'P'], values: 'spikes', description: '' },
    post: { kind: 'array', axes: ['T', 'Q'], values: 'spikes', description: '' },
    note: { kind: 'text', optional: true, description: '' },
  };
  const zeros = (...shape: number[]) =>
    arrayOf(shape, new Float32Array(shape.reduce((a, b) => a * b, 1)));

  it('bind the lengths of axes', () => {
    const axes = new Map<string, number>();

    checkValues(ports, { pre: zeros(2, 3), post: zeros(2, 4) }, axes);

    expect(Object.fromEntries(axes)).toEqual({ T: 2, P: 3, Q: 4 });
  });

  it.each([
    ['axes that differ', { pre: zeros(2, 3), post: zeros(3, 4) }, 'expected [T=2, Q]'],
    ['too few axes', { pre: zeros(6), post: zeros(2, 4) }, 'shape [6], expected [T, P]'],
    ['a missing array', { pre: zeros(2, 3) }, 'post is missing, expected an array [T, Q]'],
    [
      'half a spike',
      { pre: arrayOf([1, 1], [0.5]), post: zeros(1, 1) },
      'pre[0] is 0.5, expected 0 or 1',
    ],
  ])('refuse %s', (_, values, message) => {
    expect(() => checkValues(ports, values, new Map())).toThrow(message);
  });
});

describe('the order of dependencies', () => {
  /** Each plugin may need those before it, and they are given in any order. */
  const graphs = fc
    .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
    .chain((rows) => {
      const plugins = rows.map((needs, i) => ({
        name: `p${i}`,
        version: '1.0.0',
        dependencies: Object.fromEntries(i === 0 ? [] : needs.map((n) => [`p${n % i}`, '^1.0.0'])),
      }));
      return fc.shuffledSubarray(plugins, { minLength: plugins.length });
    });

  it('puts every plugin after all it needs', () => {
    fc.assert(
      fc.property(graphs, (plugins) => {
        const { order, refused } = dependencyOrder(plugins);

        expect(refused.size).toBe(0);
        expect(order).toHaveLength(plugins.length);
        for (const { name, dependencies } of plugins) {
          for (const on of Object.keys(dependencies)) {
            expect(order.indexOf(on)).toBeLessThan(order.indexOf(name));
          }
        }
      }),
    );
  });

  it('refuses those in a circle, those that need them, and nobody else', () => {
    const plugin = (name: string, ...needs: string[]) => ({
      name,
      version: '1.0.0',
      dependencies: Object.fromEntries(needs.map((on) => [on, '*'])),
    });

    const { order, refused } = dependencyOrder([
      plugin('above', 'a'),
      plugin('a', 'b'),
      plugin('b', 'a', 'free'),
      plugin('free'),
      plugin('self', 'self'),
    ]);

    expect(order).toEqual(['free']);
    expect(Object.fromEntries(refused)).toEqual({
      a: 'its dependencies run in a circle: a -> b -> a',
      b: 'its dependencies run in a circle: b -> a -> b',
      above: 'it needs a, which cannot run: its dependencies run in a circle: a -> b -> a',
      self: 'its dependencies run in a circle: self -> self',
    });
  });
});
