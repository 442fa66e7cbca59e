import { describe, expect, it } from 'vitest';
import { requiredBytesOn } from '../../edge/training/contract/required-bytes.ts';
import { TrainRequest } from '../../edge/training/contract/train-request.ts';
import {
  capacityOf,
  type NamedTrainer,
  plannedMemory,
  requireRoom,
  totalOf,
} from '../../edge/training/capacity.ts';
import { Problem } from '../../edge/http/problem.ts';
import type { PlacementNeed } from '../../edge/training/placement.ts';

const GIB = 2 ** 30;
const MIB = 2 ** 20;

const asked = (fields: object, rest: object = {}) =>
  TrainRequest.parse({
    model_type: 'dense_chronospike',
    dataset_path: 'a.txt',
    config: { steps: 1, ...fields },
    ...rest,
  });

const SIZES = { time_steps: 4, batch_size: 16 };
const unaveraged = asked(SIZES, { controls: { average: 0 } });
const memory = plannedMemory(asked(SIZES));
const planned = totalOf(memory);

const trainer = (
  name: string,
  device: Partial<NamedTrainer['device']>,
  fields: Partial<NamedTrainer> = {},
): NamedTrainer => ({
  name,
  trainer_id: name,
  kind: 'node',
  status: 'idle',
  categories: ['LangText'],
  model_types: ['dense_chronospike'],
  datasets: ['a.txt'],
  region_id: null,
  slots: 1,
  load: 0,
  jobs: [],
  idleSince: 0,
  ...fields,
  device: {
    kind: 'gpu',
    label: `GPU of ${name}`,
    gpu_index: 0,
    total_bytes: null,
    free_bytes: null,
    ...device,
  },
});

const need: PlacementNeed = {
  category: 'LangText',
  modelType: null,
  datasetPath: 'a.txt',
  requirements: {},
  plannedBytes: planned,
  prefersGpu: false,
  preferredRegionId: null,
};

const answerOf = (...trainers: readonly NamedTrainer[]) => capacityOf(memory, need, trainers);

describe('the memory of a run', () => {
  it('is parameters, gradients, two moments of each, and the arena', () => {
    const { parameters, gradients, optimiser, arena } = memory;

    // 857,985 trained numbers of four bytes, and what aligns them.
    expect(parameters).toBeGreaterThanOrEqual(4 * 857_985);
    expect(parameters).toBeLessThan(1.01 * 4 * 857_985);
    expect([gradients, optimiser]).toEqual([parameters, 2 * parameters]);
    expect(arena).toBeGreaterThan(10 * parameters);
  });

  it('can be estimated for the largest settings that a request may have', () => {
    const largest = { d_model: 8192, n_heads: 256, num_blocks: 256, time_steps: 64 };
    const { arena } = plannedMemory(asked({ ...largest, seq_len: 65_536, batch_size: 65_536 }));

    expect(arena).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('is more where the profile has spikes that are soft at first', () => {
    const relaxed = plannedMemory(asked(SIZES, { convergence_profile: 'stable_plus' }));
    const hard = asked(SIZES, { convergence_profile: 'stable_plus', controls: { relaxation: 0 } });

    expect(relaxed.arena).toBeGreaterThan(memory.arena);
    expect(plannedMemory(hard)).toEqual(plannedMemory(unaveraged));
  });

  it('has a block and a count more where the weights are averaged', () => {
    const { arena, ...blocks } = plannedMemory(unaveraged);

    expect(memory).toEqual({ ...blocks, arena: arena + memory.parameters + 4 });
  });
});

describe('what has to be free', () => {
  it.each([
    // 5 % of the run, and the larger of 512 MiB and 5 % of the device.
    [1000, null, 1050 + 512 * MIB],
    [1000, 4 * GIB, 1050 + 512 * MIB],
    [1000, 100 * GIB, 1050 + 5 * GIB],
  ])('for %i bytes on a device of %s is %i', (bytes, total, required) => {
    expect(requiredBytesOn(bytes, total)).toBe(required);
  });
});

describe('the capacity check', () => {
  it('takes the best trainer that is known to have room', () => {
    const { capacity, candidates } = answerOf(
      trainer('unknown', {}),
      trainer('small', { free_bytes: MIB }),
      trainer('roomy', { free_bytes: 3 * GIB, total_bytes: 4 * GIB, gpu_index: 2 }),
    );

    expect(capacity).toEqual({
      checked: true,
      fits: true,
      gpu_index: 2,
      gpu_name: 'GPU of roomy',
      free_bytes: 3 * GIB,
      required_bytes: requiredBytesOn(planned, 4 * GIB),
      breakdown: { ...memory, margin: Math.ceil(planned * 0.05), reserve: 512 * MIB },
    });
    expect(candidates.map(({ name, excluded }) => [name, excluded === null])).toEqual([
      ['roomy', true],
      ['unknown', true],
      ['small', false],
    ]);
  });

  it.each<[string, readonly NamedTrainer[]]>([
    ['there is no trainer', []],
    ['one says nothing', [trainer('a', { free_bytes: MIB }), trainer('b', {})]],
    ['those that could are away', [trainer('a', { free_bytes: MIB }, { status: 'lost' })]],
    ['those it fits not are of another kind', [trainer('a', { free_bytes: 1 }, { datasets: [] })]],
  ])('refuses nothing where %s', (_, trainers) => {
    const answer = answerOf(...trainers);

    expect(answer.capacity).toMatchObject({ checked: false, fits: true });
    expect(() => requireRoom(answer)).not.toThrow();
  });

  it('refuses what all are known to be too small for, with what it found', () => {
    const answer = answerOf(
      trainer('tiny', { free_bytes: MIB }),
      trainer('small', { free_bytes: 9 * MIB }),
    );

    expect(answer.capacity).toMatchObject({ checked: true, fits: false, free_bytes: 9 * MIB });
    expect(() => requireRoom(answer)).toThrow(Problem);
    expect(refusalOf(answer)).toMatchObject({
      code: 'insufficient_vram',
      message: `The run needs ${requiredBytesOn(planned, null)} bytes, and GPU of small has ${9 * MIB} free.`,
      extras: { members: { capacity: answer.capacity } },
    });
  });

  it('goes by the limits of a device that does not say what is free', () => {
    const roomy = answerOf(trainer('a', { total_bytes: 8 * GIB }));
    const small = answerOf(trainer('a', { total_bytes: MIB }));

    expect(roomy.capacity).toMatchObject({ checked: 'limits_only', fits: true });
    expect(small.capacity).toMatchObject({ checked: 'limits_only', fits: false });
  });

  it('waits for what another job holds now', () => {
    const busy = { free_bytes: MIB, total_bytes: 8 * GIB };

    const { capacity } = answerOf(trainer('a', busy, { jobs: ['job'], status: 'busy' }));

    expect(capacity).toMatchObject({ checked: 'limits_only', fits: true });
  });
});

function refusalOf(answer: Parameters<typeof requireRoom>[0]): unknown {
  try {
    requireRoom(answer);
  } catch (error) {
    return error;
  }
  return undefined;
}
