import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkCapacity } from '../../compute/gpu/check-capacity.ts';
import { type DeviceMemory, deviceMemory } from '../../compute/gpu/device-memory.ts';
import { queryGpuMemory } from '../../compute/gpu/gpu-memory.ts';
import { Capacity } from '../../edge/training/contract/capacity.ts';

const MIB = 2 ** 20;
const TWO = `0, GPU-aaaa1111-0000-0000-0000-000000000000, 24564, 24000, NVIDIA GeForce RTX 4090
1, GPU-bbbb2222-0000-0000-0000-000000000000, 143771, 1000, NVIDIA H200
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spikegrid-gpu-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Stands in for the driver's tool, which this machine may not have; it writes down how it was called. */
function driver(answer: string, { exit = 0, sleepS = 0 } = {}): Record<string, string> {
  const tool = join(folder, 'nvidia-smi');
  writeFileSync(join(folder, 'answer'), answer);
  writeFileSync(
    tool,
    `#!/bin/sh\necho "$@" > '${folder}/asked'\n${sleepS ? `exec sleep ${sleepS}` : ''}\ncat '${folder}/answer'\nexit ${exit}\n`,
  );
  chmodSync(tool, 0o755);
  return { PATH: [folder, '/usr/bin', '/bin'].join(delimiter) };
}

describe('free memory of a GPU', () => {
  const first = {
    index: 0,
    name: 'NVIDIA GeForce RTX 4090',
    totalBytes: 24564 * MIB,
    freeBytes: 24000 * MIB,
  };
  const second = { index: 1, name: 'NVIDIA H200', totalBytes: 143771 * MIB, freeBytes: 1000 * MIB };

  it.each<[string, Record<string, string>, typeof first]>([
    ['the first of all where nothing is set', {}, first],
    ['the first that CUDA_VISIBLE_DEVICES names', { CUDA_VISIBLE_DEVICES: '1,0' }, second],
    ['the one with a UUID', { CUDA_VISIBLE_DEVICES: 'GPU-bbbb2222' }, second],
    ['the first that NVIDIA_VISIBLE_DEVICES names', { NVIDIA_VISIBLE_DEVICES: '1' }, second],
    ['the first of all for "all"', { NVIDIA_VISIBLE_DEVICES: 'all' }, first],
    [
      'what CUDA_VISIBLE_DEVICES names, rather than the other',
      { CUDA_VISIBLE_DEVICES: '0', NVIDIA_VISIBLE_DEVICES: '1' },
      first,
    ],
  ])('is that of %s', async (_, variables, expected) => {
    expect(await queryGpuMemory({ ...driver(TWO), ...variables })).toEqual(expected);
  });

  it.each<[string, Record<string, string>]>([
    ['an empty CUDA_VISIBLE_DEVICES hides all', { CUDA_VISIBLE_DEVICES: '' }],
    ['NVIDIA_VISIBLE_DEVICES is none', { NVIDIA_VISIBLE_DEVICES: 'none' }],
    ['there is no GPU of that number', { CUDA_VISIBLE_DEVICES: '7' }],
    ['there is no GPU of that UUID', { CUDA_VISIBLE_DEVICES: 'GPU-cccc' }],
  ])('is unknown where %s', async (_, variables) => {
    expect(await queryGpuMemory({ ...driver(TWO), ...variables })).toBeNull();
  });

  it.each([
    ['says nothing', ''],
    ['says something else', 'No devices were found\n'],
    ['does not know the memory', '0, GPU-aaaa, [N/A], [N/A], NVIDIA GB10\n'],
  ])('is unknown where the driver %s', async (_, answer) => {
    expect(await queryGpuMemory(driver(answer))).toBeNull();
  });

  it('is unknown where the driver fails, or is missing', async () => {
    expect(await queryGpuMemory(driver(TWO, { exit: 9 }))).toBeNull();
    expect(await queryGpuMemory({ PATH: join(folder, 'nowhere') })).toBeNull();
  });

  it('is unknown where the driver hangs, within seconds', async () => {
    const started = performance.now();

    expect(await queryGpuMemory(driver(TWO, { sleepS: 60 }))).toBeNull();
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('a capacity check', () => {
  const GIB = 1024 * MIB;
  const plan = { parameters: GIB, gradients: GIB, optimiser: 2 * GIB, arena: 6 * GIB };
  const gpu: DeviceMemory = {
    gpuIndex: 1,
    gpuName: 'NVIDIA H200',
    totalBytes: 40 * GIB,
    freeBytes: 13 * GIB,
    maxBlockBytes: 2 * GIB,
  };
  const unknown: DeviceMemory = {
    gpuIndex: null,
    gpuName: null,
    totalBytes: null,
    freeBytes: null,
    maxBlockBytes: null,
  };

  it('adds 5 % and a reserve of 5 % of the device to the plan', () => {
    const capacity = checkCapacity(plan, gpu);

    expect(Capacity.parse(capacity)).toEqual({
      checked: true,
      fits: true,
      gpu_index: 1,
      gpu_name: 'NVIDIA H200',
      free_bytes: 13 * GIB,
      // 10 GiB of plan, half a GiB of margin, 2 GiB of reserve.
      required_bytes: 12.5 * GIB,
      breakdown: { ...plan, margin: GIB / 2, reserve: 2 * GIB },
    });
    expect(checkCapacity(plan, { ...gpu, freeBytes: 12.5 * GIB - 1 }).fits).toBe(false);
    expect(checkCapacity(plan, { ...gpu, freeBytes: 12.5 * GIB }).fits).toBe(true);
  });

  it('knows the limits only where no driver reports the free memory', () => {
    const limited = { ...unknown, gpuName: 'some adapter', maxBlockBytes: 2 * GIB };

    expect(checkCapacity(plan, limited)).toMatchObject({ checked: 'limits_only', fits: true });
    // The moments are one block.
    expect(checkCapacity(plan, { ...limited, maxBlockBytes: 2 * GIB - 1 }).fits).toBe(false);
  });

  it('refuses nothing where nothing is known', () => {
    expect(checkCapacity(plan, unknown)).toMatchObject({
      checked: false,
      fits: true,
      free_bytes: null,
    });
  });

  it('counts the memory of this machine for WASM, and no more than WASM can address', async () => {
    const description = {
      backend: 'wasm',
      label: 'WASM',
      isHardware: false,
      features: [],
      maxBlockBytes: undefined,
    } as const;
    const memory = await deviceMemory(description, {});

    expect(memory).toMatchObject({ gpuIndex: null, gpuName: null, maxBlockBytes: null });
    expect(memory.freeBytes).toBeGreaterThan(0);
    expect(memory.freeBytes).toBeLessThanOrEqual(4 * GIB);
    expect(checkCapacity(plan, memory)).toMatchObject({ checked: true, fits: false });
  });
});
