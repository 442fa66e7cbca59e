import type { Readback } from './readback.ts';

/** A kernel call made ready: everything a play needs is in here. */
export interface Stage {
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
  readonly workgroups: readonly [number, number];
}

export function recordStage(
  pass: GPUComputePassEncoder,
  { pipeline, group, workgroups }: Stage,
): void {
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(workgroups[0], workgroups[1]);
}

/**
 * Limits of one submission: a watchdog ends those that keep a device busy for seconds, and the
 * commands of a submission are memory of the browser. A GPU is through with either in some 0.3 s.
 */
const MAX_DISPATCHES = 100_000;
const MAX_WORKGROUPS = 2 ** 22;

/** Number of runs of the stages in one submission; at least one. */
export function runsPerSubmission(stages: readonly Stage[]): number {
  const workgroups = stages.reduce((sum, { workgroups: [x, y] }) => sum + x * y, 0);
  const runs = Math.min(MAX_DISPATCHES / stages.length, MAX_WORKGROUPS / workgroups);
  return Math.max(1, Math.floor(runs));
}

/** Milliseconds of each stage: by the device's clock where it has one, else by ours, one submission each. */
export function timeStages(
  device: GPUDevice,
  stages: readonly Stage[],
  readback: Readback,
): Promise<Float64Array> {
  return device.features.has('timestamp-query')
    ? timeOnDevice(device, stages, readback)
    : timeBySubmission(device, stages);
}

const STAMP_BYTES = 8;
const NANOSECONDS = 1e-6;
/** WebGPU allows no larger set. */
const MAX_QUERY_SET = 4096;

async function timeOnDevice(
  device: GPUDevice,
  stages: readonly Stage[],
  readback: Readback,
): Promise<Float64Array> {
  const times = new Float64Array(stages.length);
  for (let first = 0; first < stages.length; first += MAX_QUERY_SET / 2) {
    const some = stages.slice(first, first + MAX_QUERY_SET / 2);
    times.set(await timeSome(device, some, readback), first);
  }
  return times;
}

async function timeSome(
  device: GPUDevice,
  stages: readonly Stage[],
  readback: Readback,
): Promise<Float64Array> {
  const count = 2 * stages.length;
  const querySet = device.createQuerySet({ type: 'timestamp', count });
  const size = count * STAMP_BYTES;
  const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
  const buffer = device.createBuffer({ label: 'timestamps', size, usage });
  const encoder = device.createCommandEncoder({ label: 'timed' });
  for (const [index, stage] of stages.entries()) {
    const timestampWrites = {
      querySet,
      beginningOfPassWriteIndex: 2 * index,
      endOfPassWriteIndex: 2 * index + 1,
    };
    const pass = encoder.beginComputePass({ timestampWrites });
    recordStage(pass, stage);
    pass.end();
  }
  encoder.resolveQuerySet(querySet, 0, count, buffer, 0);
  device.queue.submit([encoder.finish()]);
  const stamps = new BigUint64Array(await readback.read({ buffer, offset: 0, size }));
  querySet.destroy();
  buffer.destroy();
  return Float64Array.from(stages, (_, index) => {
    const [begin = 0n, end = 0n] = stamps.subarray(2 * index);
    return Number(end - begin) * NANOSECONDS;
  });
}

async function timeBySubmission(
  device: GPUDevice,
  stages: readonly Stage[],
): Promise<Float64Array> {
  const times = new Float64Array(stages.length);
  for (const [index, stage] of stages.entries()) {
    const started = performance.now();
    const encoder = device.createCommandEncoder({ label: 'timed' });
    const pass = encoder.beginComputePass();
    recordStage(pass, stage);
    pass.end();
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
    times[index] = performance.now() - started;
  }
  return times;
}
