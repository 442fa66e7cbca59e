import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { parseBody } from '../../engine/kernel-language/parse-body.ts';
import { kernelsOf } from '../../engine/kernels/table.ts';
import { noParameters, variants } from './play.ts';

const COUNT = 20_001;

interface Claim {
  readonly meaning: (x: number) => number;
  readonly from: number;
  readonly to: number;
  /** The error that `kernelHead` states, in units in the last place or absolute. */
  readonly wasm: (x: number) => Bound;
  readonly webgpu: (x: number) => Bound;
}

interface Bound {
  readonly ulps?: number;
  readonly absolute?: number;
}

const ulps = (most: number) => () => ({ ulps: most });
const within = (absolute: number) => () => ({ absolute });

const FUNCTIONS: Readonly<Record<string, Claim>> = {
  exp: {
    meaning: Math.exp,
    from: -87,
    to: 88,
    wasm: ulps(2),
    webgpu: (x) => ({ ulps: 3 + 2 * Math.abs(x) }),
  },
  log: { meaning: Math.log, from: 1e-6, to: 1e6, wasm: ulps(2), webgpu: ulps(3) },
  sqrt: { meaning: Math.sqrt, from: 0, to: 1e6, wasm: ulps(0.5), webgpu: ulps(0.5) },
  tanh: { meaning: Math.tanh, from: -12, to: 12, wasm: ulps(3), webgpu: within(2e-7) },
  sin: { meaning: Math.sin, from: -100, to: 100, wasm: within(1e-7), webgpu: within(1e-7) },
  cos: { meaning: Math.cos, from: -100, to: 100, wasm: within(1e-7), webgpu: within(1e-7) },
};

async function apply(backend: Backend, name: string, x: Float32Array): Promise<Float32Array> {
  const { kernel } = kernelsOf('test', {
    kernel: {
      operands: { x: 'read', y: 'write' },
      attributes: { count: 'int' },
      write: (choices, row) =>
        parseBody(
          row,
          {
            over: { element: 'count' },
            shapes: { x: 'f32[count]', y: 'f32[count]' },
            equations: `y = ${name}(x)`,
          },
          choices,
        ),
    },
  });
  const graph = new Graph('function', noParameters);
  const [input, output] = ['x', 'y'].map((one) => graph.local(one, 'f32', [x.length]));
  graph.call(kernel, { x: input!, y: output! }, { count: x.length });
  const program = graph.build();
  const player = await backend.load(noParameters, [program]);
  player.write(input!, x);
  player.play(program);
  const y = (await player.read(output!)) as Float32Array;
  player.close();
  return y;
}

/** The unit in the last place of a float32 of this size. */
function unitOf(value: number): number {
  return 2 ** (Math.max(Math.floor(Math.log2(Math.abs(value))), -126) - 23);
}

describe.each(Object.entries(variants))('%s', (variant, open) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());

  it.each(Object.entries(FUNCTIONS))('%s is as exact as is said', async (name, claim) => {
    const { meaning, from, to } = claim;
    const x = Float32Array.from(
      { length: COUNT },
      (_, index) => from + ((to - from) * index) / (COUNT - 1),
    );
    const y = await apply(backend, name, x);
    const bound = variant.startsWith('wasm') ? claim.wasm : claim.webgpu;
    const off = Array.from(x).flatMap((value, index) => {
      const exact = meaning(value);
      const { ulps: units = 0, absolute = 0 } = bound(value);
      const error = Math.abs(y[index]! - exact);
      return error <= Math.max(absolute, units * unitOf(exact) * (1 + 1e-6))
        ? []
        : [[value, y[index]!, exact]];
    });
    expect(off).toEqual([]);
  });
});
