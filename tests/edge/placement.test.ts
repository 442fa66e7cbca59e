import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestTrainer,
  bytesNeededOn,
  type PlaceableTrainer,
  type PlacementNeed,
  rankTrainers,
} from '../../edge/training/placement.ts';

const GIB = 2 ** 30;

const trainer = (trainer_id: string, { device, ...fields }: Fields = {}): PlaceableTrainer => ({
  trainer_id,
  kind: 'node',
  status: 'idle',
  categories: ['LangText'],
  model_types: ['dense_chronospike'],
  datasets: ['book.txt'],
  region_id: null,
  slots: 1,
  load: 0,
  jobs: [],
  idleSince: 0,
  ...fields,
  device: {
    kind: 'cpu',
    label: 'WASM SIMD, 2 threads',
    gpu_index: null,
    total_bytes: null,
    free_bytes: null,
    ...device,
  },
});

type Fields = Partial<Omit<PlaceableTrainer, 'device'>> & {
  readonly device?: Partial<PlaceableTrainer['device']>;
};

const need = (fields: Partial<PlacementNeed> = {}): PlacementNeed => ({
  category: null,
  modelType: 'dense_chronospike',
  datasetPath: 'book.txt',
  requirements: {},
  plannedBytes: null,
  prefersGpu: false,
  preferredRegionId: null,
  ...fields,
});

const anyBytes = fc.option(fc.integer({ min: 0, max: 16 * GIB }));
const anyTrainers = fc
  .array(
    fc.record({
      kind: fc.constantFrom('node', 'tab'),
      status: fc.constantFrom('idle', 'busy', 'draining', 'lost'),
      device: fc.record({
        kind: fc.constantFrom('gpu', 'cpu'),
        total_bytes: anyBytes,
        free_bytes: anyBytes,
      }),
      categories: fc.constantFrom(['LangText'], ['Vision'], ['Audio', 'LangText']),
      datasets: fc.constantFrom([], ['book.txt'], ['book.txt', 'other.txt']),
      region_id: fc.constantFrom(null, 'tokyo', 'virginia'),
      slots: fc.integer({ min: 1, max: 3 }),
      load: fc.constantFrom(0, 0.5, 2),
      jobs: fc.array(fc.constant('job'), { maxLength: 3 }),
      idleSince: fc.nat(3),
    }),
    { maxLength: 8 },
  )
  .map((all) => all.map((fields, i) => trainer(`t${i}`, fields as unknown as Fields)));
const anyNeed = fc
  .record({
    category: fc.constantFrom(null, 'LangText', 'Vision'),
    datasetPath: fc.constantFrom('book.txt', 'datasets/book', 'nowhere.txt'),
    requirements: fc.record(
      {
        device: fc.constantFrom('gpu', 'cpu'),
        kind: fc.constantFrom('node', 'tab'),
        region_id: fc.constantFrom('tokyo', 'virginia'),
        memory_bytes: fc.integer({ min: 0, max: 16 * GIB }),
        trainer_id: fc.constantFrom('t0', 't1'),
      },
      { requiredKeys: [] },
    ),
    plannedBytes: anyBytes,
    prefersGpu: fc.boolean(),
    preferredRegionId: fc.constantFrom(null, 'tokyo', 'virginia'),
  })
  .map((fields) => need(fields as unknown as Partial<PlacementNeed>));

/** Whether a trainer can take a job, said as plainly as can be. */
function mayTake(job: PlacementNeed, one: PlaceableTrainer): boolean {
  return (
    ['idle', 'busy'].includes(one.status) &&
    one.jobs.length < one.slots &&
    meets(job, one) &&
    (job.category === null || one.categories.includes(job.category)) &&
    (job.datasetPath === null ||
      job.datasetPath.startsWith('datasets/') ||
      one.datasets.includes(job.datasetPath)) &&
    mostFree(one) >= (bytesNeededOn(job, one.device) ?? 0)
  );
}

const meets = ({ requirements: wanted }: PlacementNeed, one: PlaceableTrainer) =>
  [undefined, one.device.kind].includes(wanted.device) &&
  [undefined, one.kind].includes(wanted.kind) &&
  [undefined, one.region_id].includes(wanted.region_id) &&
  [undefined, one.trainer_id].includes(wanted.trainer_id);

const mostFree = ({ device: { free_bytes, total_bytes } }: PlaceableTrainer) =>
  free_bytes ?? total_bytes ?? Infinity;

const idsOf = (job: PlacementNeed, trainers: readonly PlaceableTrainer[]) =>
  rankTrainers(job, trainers).map((ranked) => ranked.trainer.trainer_id);

describe('the ranking of trainers', () => {
  it('excludes those that cannot take the job and no other, and puts them last', () => {
    fc.assert(
      fc.property(anyNeed, anyTrainers, (job, trainers) => {
        const ranked = rankTrainers(job, trainers);
        const flags = ranked.map(({ excluded }) => excluded === null);

        expect(ranked.map((one) => mayTake(job, one.trainer))).toEqual(flags);
        expect(flags).toEqual(flags.toSorted((a, b) => Number(b) - Number(a)));
        expect(ranked.map((one) => one.trainer.trainer_id).toSorted()).toEqual(
          trainers.map(({ trainer_id }) => trainer_id),
        );
      }),
      { seed: 5, numRuns: 3000 },
    );
  });

  it('is the same whatever the order the trainers come in', () => {
    fc.assert(
      fc.property(
        anyNeed,
        anyTrainers.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        (job, [trainers, shuffled]) => {
          expect(idsOf(job, shuffled)).toEqual(idsOf(job, trainers));
        },
      ),
      { seed: 5, numRuns: 2000 },
    );
  });

  it('takes nobody of another region, or a CPU for a GPU, while the requested one is free', () => {
    fc.assert(
      fc.property(anyNeed, anyTrainers, (job, trainers) => {
        const best = bestTrainer(job, trainers);
        const able = trainers.filter((one) => mayTake(job, one));
        const isNear = ({ region_id }: PlaceableTrainer) => region_id === job.preferredRegionId;
        const near = able.filter(isNear);
        const pool = near.length > 0 ? near : able;
        const hasGpu = pool.some(({ device }) => device.kind === 'gpu');

        expect(pool.length > 0 ? pool : [undefined]).toContain(best);
        expect(!job.prefersGpu || !hasGpu || best?.device.kind === 'gpu').toBe(true);
      }),
      { seed: 5, numRuns: 3000 },
    );
  });

  it.each<[string, Fields, Fields, Partial<PlacementNeed>]>([
    [
      'the region asked for',
      { region_id: 'tokyo', load: 9 },
      { device: { kind: 'gpu' } },
      {
        preferredRegionId: 'tokyo',
        prefersGpu: true,
      },
    ],
    ['a GPU for a large job', { device: { kind: 'gpu' }, load: 9 }, {}, { plannedBytes: GIB }],
    [
      'memory that fits tightly',
      { device: { free_bytes: 3 * GIB }, load: 9 },
      { device: { free_bytes: 12 * GIB } },
      { plannedBytes: 2 ** 20 },
    ],
    [
      'memory that is known to fit',
      { device: { free_bytes: 12 * GIB }, load: 9 },
      {},
      { plannedBytes: 2 ** 20 },
    ],
    ['less load', { load: 0.1, slots: 3, jobs: ['a'] }, { load: 0.2 }, {}],
    ['fewer jobs', { slots: 3, jobs: ['a'], idleSince: 9 }, { slots: 3, jobs: ['a', 'b'] }, {}],
    ['who waits longest', { idleSince: 1 }, { idleSince: 2 }, {}],
  ])('prefers %s', (_, better, worse, job) => {
    // The worse one has the smaller id, which would settle a draw.
    expect(idsOf(need(job), [trainer('b', better), trainer('a', worse)])).toEqual(['b', 'a']);
  });

  it('lets a little less waste of memory not outweigh load', () => {
    const close = trainer('close', { device: { free_bytes: 4 * GIB }, load: 2 });
    const free = trainer('free', { device: { free_bytes: 4 * GIB + 1000 } });

    expect(idsOf(need({ plannedBytes: 2 ** 20 }), [close, free])).toEqual(['free', 'close']);
  });

  it.each<[string, Fields, Partial<PlacementNeed>]>([
    ['it has sent no heartbeat lately', { status: 'lost' }, {}],
    ['it is draining and takes no more jobs', { status: 'draining' }, {}],
    ['its trainer is t, expected other', {}, { requirements: { trainer_id: 'other' } }],
    ['its kind is node, expected tab', {}, { requirements: { kind: 'tab' } }],
    ['its device is cpu, expected gpu', {}, { requirements: { device: 'gpu' } }],
    ['its region is unknown, expected tokyo', {}, { requirements: { region_id: 'tokyo' } }],
    ['it trains LangText, expected Audio', {}, { category: 'Audio' }],
    ['it has no dataset nowhere.txt', {}, { datasetPath: 'nowhere.txt' }],
    [
      'its device has 10 bytes free, expected 11',
      { device: { free_bytes: 10 } },
      { requirements: { memory_bytes: 11 } },
    ],
    [
      // 5 % of the plan, and 512 MiB that are left to others.
      'its device has 1000 bytes at all, expected 536871962',
      { device: { total_bytes: 1000 } },
      { plannedBytes: 1000 },
    ],
    ['it has 2 jobs and 2 slots', { slots: 2, jobs: ['a', 'b'] }, {}],
  ])('says why: %s', (detail, fields, job) => {
    const [only] = rankTrainers(need(job), [trainer('t', fields)]);
    expect(only?.excluded?.detail).toBe(detail);
  });
});
