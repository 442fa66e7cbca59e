import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { keyOf, philox, uniformFrom } from '../../engine/random/philox.ts';
import { readShaders } from '../../shaders/source-node.ts';
import { runKernel, variants } from './play.ts';

type Four = [number, number, number, number];
type Two = [number, number];

/** The known answers of Philox 4x32-10 that Random123 (Salmon et al. 2011) is published with. */
const KNOWN: { counter: Four; key: Two; words: Four }[] = [
  {
    counter: [0, 0, 0, 0],
    key: [0, 0],
    words: [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
  },
  {
    counter: [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    key: [0xffffffff, 0xffffffff],
    words: [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  },
  {
    counter: [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    key: [0xa4093822, 0x299f31d0],
    words: [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  },
];

const word = fc.integer({ min: 0, max: 0xffffffff });
const seeds = fc.maxSafeNat();

describe('philox on the host', () => {
  it.each(KNOWN)('gives the published words for counter $counter', ({ counter, key, words }) => {
    expect([...philox(counter, key)]).toEqual(words);
  });

  it('equals the definition in 64-bit integers for any counter and key', () => {
    fc.assert(
      fc.property(fc.tuple(word, word, word, word), fc.tuple(word, word), (counter, key) => {
        expect([...philox(counter, key)]).toEqual(inBigIntegers(counter, key));
      }),
    );
  });
});

describe('philox on the device', () => {
  let device: GPUDevice;
  beforeAll(async () => {
    const adapter = await navigator.gpu.requestAdapter();
    device = await adapter!.requestDevice();
  });
  afterAll(() => device.destroy());

  it('gives the published words', async () => {
    const drawn = await drawOnDevice(
      device,
      KNOWN.map(({ counter, key }) => [...counter, ...key, 0, 0]),
    );

    expect(drawn).toEqual(KNOWN.flatMap(({ words }) => words));
  });

  it('draws the words of the host for random counters and keys', async () => {
    const inputs = Array.from({ length: 500 }, (_, i) => {
      const [a, b] = [philox([i, 0, 0, 1], [1, 2]), philox([i, 0, 0, 2], [1, 2])];
      return [...a, ...b];
    });

    const drawn = await drawOnDevice(device, inputs);

    const expected = inputs.flatMap((input) => {
      const [c0, c1, c2, c3, k0, k1] = input as [...Four, ...Two];
      return [...philox([c0, c1, c2, c3], [k0, k1])];
    });
    expect(drawn).toEqual(expected);
  });
});

describe('random_uniform', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await variants['webgpu, register tiles']();
  });
  afterAll(() => backend.close());

  // 1001 is no multiple of the four numbers of a draw.
  it('draws the numbers of the host bit for bit, by seed, step and stream', async () => {
    const [count, step, seed, stream] = [1001, 0xfffffffe, 2 ** 53 - 2, 5];
    const clock = Uint32Array.of(step, 0, ...keyOf(seed));

    const { output } = await runKernel(backend, {
      kernel: 'random_uniform',
      operands: {
        clock: { dtype: 'u32', shape: [4], data: clock },
        output: { dtype: 'f32', shape: [count], data: new Float32Array(count) },
      },
      attributes: { count, stream },
    });

    const expected = Float32Array.from({ length: count }, (_, i) =>
      uniformFrom(philox([i >>> 2, stream, step, 0], keyOf(seed))[i & 3]!),
    );
    expect(output).toEqual(expected);
  });
});

describe('uniform numbers', () => {
  it('fill 256 equal bins evenly, with the mean and spread of a uniform distribution', () => {
    const [draws, bins] = [1 << 18, 256];
    const counts = new Float64Array(bins);
    let [sum, squares] = [0, 0];
    for (let i = 0; i < draws; i++) {
      const x = uniformFrom(philox([i, 0, 0, 0], keyOf(42))[i & 3]!);
      counts[Math.floor(x * bins)]! += 1;
      sum += x;
      squares += x * x;
    }

    const expected = draws / bins;
    const chiSquared = counts.reduce((total, n) => total + (n - expected) ** 2 / expected, 0);
    // 255 degrees of freedom: one in a million lies above 373, one in a million below 158.
    expect(chiSquared).toBeGreaterThan(158);
    expect(chiSquared).toBeLessThan(373);
    // Five standard errors of the mean.
    expect(Math.abs(sum / draws - 0.5)).toBeLessThan(5 / Math.sqrt(12 * draws));
    expect(squares / draws - (sum / draws) ** 2).toBeCloseTo(1 / 12, 3);
  });

  it('stay below 1 and never go below 0', () => {
    expect(uniformFrom(0)).toBe(0);
    expect(uniformFrom(0xffffffff)).toBe(1 - 2 ** -24);
  });

  it('of neighbouring counters and neighbouring seeds do not move together', () => {
    const draws = 1 << 14;
    const at = (i: number, seed: number) => uniformFrom(philox([i, 0, 0, 0], keyOf(seed))[0]!);
    const correlation = (a: (i: number) => number, b: (i: number) => number) => {
      let sum = 0;
      for (let i = 0; i < draws; i++) sum += (a(i) - 0.5) * (b(i) - 0.5);
      return (12 * sum) / draws;
    };

    // Five standard errors.
    const bound = 5 / Math.sqrt(draws);
    const here = (i: number) => at(i, 7);
    expect(Math.abs(correlation(here, (i) => at(i + 1, 7)))).toBeLessThan(bound);
    expect(Math.abs(correlation(here, (i) => at(i, 8)))).toBeLessThan(bound);
    expect(Math.abs(correlation(here, (i) => at(i, 7 + 2 ** 32)))).toBeLessThan(bound);
  });
});

describe('a seed', () => {
  it('becomes the key that holds it, low word first', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [low, high] = keyOf(seed);
        expect(high * 2 ** 32 + low).toBe(seed);
        expect([low >>> 0, high >>> 0]).toEqual([low, high]);
      }),
    );
  });
});

/** The rounds as the paper writes them, in integers that cannot overflow. */
function inBigIntegers(counter: Four, key: Two): number[] {
  const mask = 0xffffffffn;
  let [c0, c1, c2, c3] = counter.map(BigInt) as [bigint, bigint, bigint, bigint];
  let [k0, k1] = key.map(BigInt) as [bigint, bigint];
  for (let round = 0; round < 10; round++) {
    const [p0, p1] = [0xd2511f53n * c0, 0xcd9e8d57n * c2];
    [c0, c1, c2, c3] = [(p1 >> 32n) ^ c1 ^ k0, p1 & mask, (p0 >> 32n) ^ c3 ^ k1, p0 & mask];
    [k0, k1] = [(k0 + 0x9e3779b9n) & mask, (k1 + 0xbb67ae85n) & mask];
  }
  return [c0, c1, c2, c3].map(Number);
}

/** Runs shaders/lib/philox.wgsl on rows of a counter, a key and two unused words. */
async function drawOnDevice(device: GPUDevice, rows: readonly number[][]): Promise<number[]> {
  const main = `
    @group(0) @binding(0) var<storage, read_write> rows: array<array<vec4u, 2>>;
    @group(0) @binding(1) var<storage, read_write> words: array<vec4u>;
    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3u) {
      if (id.x >= arrayLength(&rows)) { return; }
      words[id.x] = philox(rows[id.x][0], rows[id.x][1].xy);
    }`;
  const module = device.createShaderModule({ code: readShaders()['lib/philox.wgsl']! + main });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
  const input = Uint32Array.from(rows.flat());
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const source = device.createBuffer({ size: input.byteLength, usage });
  const words = device.createBuffer({ size: rows.length * 16, usage });
  const staging = device.createBuffer({
    size: rows.length * 16,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  });
  device.queue.writeBuffer(source, 0, input);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [source, words].map((buffer, binding) => ({ binding, resource: { buffer } })),
    }),
  );
  pass.dispatchWorkgroups(Math.ceil(rows.length / 64));
  pass.end();
  encoder.copyBufferToBuffer(words, 0, staging, 0, staging.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const drawn = [...new Uint32Array(staging.getMappedRange())];
  for (const buffer of [source, words, staging]) buffer.destroy();
  return drawn;
}
