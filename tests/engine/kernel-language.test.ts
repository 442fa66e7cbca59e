import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError } from '../../engine/errors.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import type { Kernel } from '../../engine/graph/kernel.ts';
import { gradientOf } from '../../engine/kernel-language/gradient-body.ts';
import { type Definition, parseBody } from '../../engine/kernel-language/parse-body.ts';
import type { WrittenKernel } from '../../engine/kernel-language/written-kernel.ts';
import { kernelsOf } from '../../engine/kernels/table.ts';
import './matchers.ts';
import { noParameters, reference, triedVariants } from './play.ts';
import { randomSource } from './random.ts';

const STEPS = 5;
const ROWS = 3;
/** One place, and a workgroup of 64 with one less and one more; each for two of the ten equations of a run, one with means. */
const WIDTHS = [1, 63, 64, 65, 1000] as const;

/** `SPIKEGRID_SEED` runs the equations of another run again. */
const seed = Number(process.env['SPIKEGRID_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));

/** A scan with two states, whose steps are these lines. */
function scanOf(lines: string): Definition {
  return {
    over: { step: 'steps', row: 'rows', column: 'width' },
    scan: 'step',
    shapes: {
      x: 'f32[steps, rows, width]',
      gain: 'f32[width]',
      y: 'f32[steps, rows, width]',
    },
    equations: `
      state u = 0
      state w = 0.1
      ${lines}
      y = u`,
  };
}

const attributes = { steps: 'int', rows: 'int', width: 'int' } as const;

/** The kernel of some lines, and its gradient. */
function kernelsFor(lines: string): { forward: WrittenKernel; backward: WrittenKernel } {
  const definition = scanOf(lines);
  const made = kernelsOf('test', {
    forward: {
      operands: { x: 'read', gain: 'read', y: 'write' },
      attributes,
      write: (choices, row) => parseBody(row, definition, choices),
    },
    backward: {
      operands: {
        x: 'read',
        gain: 'read',
        yGradient: 'read',
        xGradient: 'write',
        gainGradient: 'write',
      },
      attributes,
      write: (choices, row) =>
        gradientOf(
          parseBody(
            { ...row, operands: { x: 'read', gain: 'read', y: 'write' } },
            definition,
            choices,
          ),
          {
            given: { y: 'yGradient' },
            wanted: { x: 'xGradient', gain: 'gainGradient' },
            layouts: { gainGradient: { element: 'f32', axes: ['rows', 'width'] } },
          },
        ),
    },
  });
  return made;
}

type Arrays = Readonly<Record<string, Float32Array>>;

/** Plays one kernel; gives what its written operands hold. */
async function play(
  backend: Backend,
  kernel: Kernel,
  given: Arrays,
): Promise<Record<string, Float32Array>> {
  const width = given['gain']!.length;
  const shapes: Readonly<Record<string, readonly number[]>> = {
    gain: [width],
    gainGradient: [ROWS, width],
  };
  const graph = new Graph('equations', noParameters);
  const tensors = Object.fromEntries(
    Object.keys(kernel.operands).map((name) => [
      name,
      graph.local(name, 'f32', shapes[name] ?? [STEPS, ROWS, width]),
    ]),
  );
  graph.call(kernel, tensors, { steps: STEPS, rows: ROWS, width });
  const program = graph.build();
  const player = await backend.load(noParameters, [program]);
  for (const [name, role] of Object.entries(kernel.operands)) {
    if (role === 'read') player.write(tensors[name]!, given[name]!);
  }
  player.play(program);
  const written: Record<string, Float32Array> = {};
  for (const [name, role] of Object.entries(kernel.operands)) {
    if (role === 'write') written[name] = (await player.read(tensors[name]!)) as Float32Array;
  }
  player.close();
  return written;
}

/** Equations that stay small whatever the numbers: every value passes through a bounded function. */
const leaf = fc.constantFrom('x', 'u', 'w', 'gain', '0.3', '-0.7', '1.5');
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc
      .tuple(tie('expression'), fc.constantFrom('+', '-', '*'), tie('expression'))
      .map(([a, o, b]) => `(${a} ${o} ${b})`),
    tie('expression').map((a) => `tanh(${a})`),
    tie('expression').map((a) => `sigmoid(${a})`),
    tie('expression').map((a) => `exp(-abs(${a}))`),
    tie('expression').map((a) => `sqrt(1 + ${a} * ${a})`),
    tie('expression').map((a) => `log(1.5 + ${a} * ${a})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a} / (1 + abs(${b})))`),
    tie('expression').map((a) => `groupMean(${a})`),
  ),
}));
const equations = fc
  .tuple(expression, expression)
  .map(([u, w]) => `u = 0.5 * u + tanh(${u})\n w = 0.3 * w + 0.5 * tanh(${w})`);
/** The places of a row push each other away from their mean, and from that of what is left. */
const joined = fc
  .tuple(equations, expression)
  .map(
    ([lines, value]) =>
      `m = groupMean(tanh(${value}))\n d = w - groupMean(w) - m\n ${lines}\n w = w + 0.2 * d * groupMean(d * d)`,
  );

interface Sample {
  readonly lines: string;
  readonly width: number;
  readonly given: Arrays;
}

const from = randomSource(seed);
const drawn = [equations, joined].flatMap((one) =>
  fc.sample(one, { numRuns: WIDTHS.length, seed }),
);
const samples = drawn.map((lines, index): Sample => {
  const width = WIDTHS[index % WIDTHS.length]!;
  const count = STEPS * ROWS * width;
  const given = {
    x: from.floats(count),
    gain: from.floats(width),
    yGradient: from.floats(count),
  };
  return { lines, width, given };
});

interface Expected {
  readonly values: Float32Array;
  /** The distance from it that is accepted, relative to 1 + magnitude. */
  readonly tolerance: number;
}

/** Inputs as they would be after rounding to 20 bits. */
const DISTURBED = 2 ** -20;
/** Rounding errors of a few operations a value, each some 2^-24, amplified as those of inputs are. */
const AMPLIFIED = 32;
const MIN_TOLERANCE = 2e-5;

const known = new Map<string, Promise<Readonly<Record<string, Expected>>>>();

/** The results in float64, and how far those in float32 may be from them: equations may amplify what they round. */
function expectedOf(kernel: Kernel, sample: Sample): Promise<Readonly<Record<string, Expected>>> {
  const key = `${kernel.name} ${sample.lines}`;
  const found = known.get(key) ?? expectedIn(kernel, sample);
  known.set(key, found);
  return found;
}

async function expectedIn(kernel: Kernel, { given }: Sample) {
  const disturb = (sign: number) =>
    Object.fromEntries(
      Object.entries(given).map(([name, data]) => [
        name,
        data.map((value) => value * (1 + sign * DISTURBED)),
      ]),
    );
  const values = await play(reference, kernel, given);
  const disturbed = [
    await play(reference, kernel, disturb(1)),
    await play(reference, kernel, disturb(-1)),
  ];
  return Object.fromEntries(
    Object.entries(values).map(([name, data]) => {
      const distances = disturbed.map((one) => distanceOf(one[name]!, data));
      const tolerance = MIN_TOLERANCE + AMPLIFIED * Math.max(...distances);
      return [name, { values: data, tolerance }];
    }),
  );
}

function distanceOf(a: Float32Array, b: Float32Array): number {
  return a.reduce(
    (most, value, i) => Math.max(most, Math.abs(value - b[i]!) / (1 + Math.abs(b[i]!))),
    0,
  );
}

describe.each(Object.entries(triedVariants))('%s', (_, open) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());

  it.each(samples)(
    `computes and differentiates what float64 does (seed ${seed}), $width wide: $lines`,
    async (sample) => {
      for (const kernel of Object.values(kernelsFor(sample.lines))) {
        const expected = await expectedOf(kernel, sample);
        const actual = await play(backend, kernel, sample.given);
        for (const [name, { values, tolerance }] of Object.entries(expected)) {
          expect(actual[name], `${kernel.name} ${name}`).toMatchNumbers(values, tolerance);
        }
      }
    },
  );
});

describe('the gradient of equations', () => {
  it.each(samples)(`is that of finite differences (seed ${seed}): $lines`, async (sample) => {
    const { forward, backward } = kernelsFor(sample.lines);
    const { x, yGradient } = sample.given as { x: Float32Array; yGradient: Float32Array };
    const gradients = await play(reference, backward, sample.given);
    const loss = async (moved: Float32Array) => {
      const { y } = await play(reference, forward, { ...sample.given, x: moved });
      return y!.reduce((sum, value, i) => sum + value * yGradient[i]!, 0);
    };
    const slopeAt = async (place: number, by: number) => {
      const [up, down] = [by, -by].map((step) => x.with(place, x[place]! + step)) as [
        Float32Array,
        Float32Array,
      ];
      // Inputs are float32: the distance that they really moved by is what counts.
      return ((await loss(up)) - (await loss(down))) / (up[place]! - down[place]!);
    };
    for (const place of [0, Math.floor(x.length / 2), x.length - 1]) {
      const [slope, finer] = [await slopeAt(place, 2 ** -7), await slopeAt(place, 2 ** -8)];
      // Two distances that differ in their slopes tell how bent, or broken, the function is there.
      const tolerance = 2e-3 * (1 + Math.abs(finer)) + 2 * Math.abs(slope - finer);
      expect(Math.abs(finer - gradients['xGradient']![place]!)).toBeLessThan(tolerance);
    }
  });
});

describe('a text that is no kernel', () => {
  it.each([
    ['u = spike(u, 1, 2)', 'spike has 3 arguments: expected 1 to 2'],
    [
      'u = spike(u, 1 / (1 + abs(x)))',
      'line 4, column 33: x in a slope is what spike(...) is called with',
    ],
    ['u = randomWord(row, 1, 2, 3, 4)', 'line 4, column 11: a random word is drawn elsewhere'],
    ['u = randomWord(column + 2, 1, 2, 3, 4)', 'or a constant multiple of 4 behind it'],
    ['u = randomWord(4 * column, 1, 2, 3, 4)', 'expected that of column'],
    ['u = u + y2', 'line 4, column 15: y2 has no value here'],
    ['u = u +', 'stands where a value was expected'],
    ['u = sine(u)', 'there is no function sine'],
    ['u = exp(u, u)', 'exp has 2 arguments: expected 1'],
    ['u = u / 0', 'division by zero'],
    ['u = groupMean(u, x)', 'line 4, column 11: groupMean has 2 arguments: expected 1'],
    ['u = rowSum(x)', 'line 4, column 11: rowSum(...) stands in a step: expected groupMean(...)'],
    ['m = groupMean(m + x)', 'line 4, column 21: m has no value here'],
    ['state v = groupMean(x)', 'line 4, column 17: groupMean(...) stands outside of the steps'],
    [
      'u = x[step, row, i32(groupMean(u))]',
      'line 4, column 11: the place of x depends on groupMean',
    ],
    [
      'y[step, row, i32(groupMean(u))] = u',
      'line 4, column 7: the place of y depends on groupMean',
    ],
    ['after\n u = groupMean(u)', 'line 5, column 6: groupMean(...) stands outside of the steps'],
    ['u = x ? 1 : 2', 'expected a condition'],
    ['u = u && x', 'expected a condition'],
    ['u = x ^ 99', 'the exponent is 99'],
    ['u = $', '"$" means nothing here'],
    ['u = (x', 'stands where ")" was expected'],
    ['u = x x', 'stands where the line should end'],
    ['u 3', 'stands where "=" was expected'],
    [`u = ${'('.repeat(500)}x`, 'nested deeper than'],
    [`u = ${'-'.repeat(500)}x`, 'nested deeper than'],
    [`u = ${'x + '.repeat(8000)}x`, 'characters long'],
  ])('%s', (line, message) => {
    const row = { operands: { x: 'read', gain: 'read', y: 'write' }, attributes } as const;
    const read = () => parseBody(row, scanOf(line), {});
    expect(read).toThrow(expect.objectContaining({ code: 'invalid-equation' }));
    expect(read).toThrow(message);
  });

  it('never throws anything else', () => {
    const row = { operands: { x: 'read', gain: 'read', y: 'write' }, attributes } as const;
    const part = fc.constantFrom(
      ...'u w x y = + - * / ( ) [ ] , ? : < 1 2.5 spike state after exp \n'.split(' '),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const read = () => parseBody(row, scanOf(parts.join(' ')), {});
        expect(refusalOf(read)).toMatch(/^(none|invalid-equation)$/);
      }),
    );
  });
});

/** The code with which a text is refused. */
function refusalOf(read: () => void): string {
  try {
    read();
    return 'none';
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}
