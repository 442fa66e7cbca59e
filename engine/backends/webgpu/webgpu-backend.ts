import { operandsOf } from '../../graph/kernel.ts';
import { EngineError } from '../../errors.ts';
import type { Program } from '../../graph/program.ts';
import { describe, type Tensor } from '../../graph/tensor.ts';
import type { Backend, Player } from '../../graph/backend.ts';
import { bindCall } from './binders.ts';
import { allocateMemory, type DeviceMemory } from './memory.ts';
import { type OpenDevice, openDevice, type WebGpuOptions } from './open-device.ts';

export type { WebGpuOptions } from './open-device.ts';
import { createPipelineCache, type PipelineCache } from './pipelines.ts';
import type { DeviceProfile } from './profile.ts';
import { createReadback } from './readback.ts';
import { recordStage, runsPerSubmission, type Stage, timeStages } from './stage.ts';

/** Opens WebGPU. Throws EngineError `no-adapter` that says what was found. */
export const openWebGpuBackend = async (options: WebGpuOptions): Promise<Backend> =>
  backendOn(await openDevice(options));

/** A backend on a device that is open, which it closes. */
export function backendOn({ device, profile, description }: OpenDevice): Backend {
  const pipelines = createPipelineCache(device);
  const health = watchHealth(device);
  return {
    device: description,
    lost: health.lost,
    async load(layout, programs) {
      const memory = await allocateMemory(device, layout, programs);
      try {
        const stages = await compilePrograms({ device, pipelines, profile, memory }, programs);
        return createPlayer(device, memory, stages, health);
      } catch (error) {
        memory.destroy();
        throw error;
      }
    },
    close: () => device.destroy(),
  };
}

interface Health {
  readonly lost: Promise<string>;
  /** Throws when the device is lost or a command was refused. */
  check(): void;
}

function watchHealth(device: GPUDevice): Health {
  let failure: EngineError | undefined;
  const lost = new Promise<string>((resolve) => {
    void device.lost.then(({ reason, message }) => {
      failure = new EngineError('device-lost', `the WebGPU device was lost: ${message || reason}`);
      if (reason !== 'destroyed') resolve(failure.message);
    });
  });
  device.addEventListener('uncapturederror', ({ error }) => {
    const code = error instanceof GPUOutOfMemoryError ? 'out-of-memory' : 'shader-invalid';
    failure ??= new EngineError(code, `WebGPU refused a command: ${error.message}`);
  });
  return {
    lost,
    check: () => {
      if (failure) throw failure;
    },
  };
}

interface Compiler {
  readonly device: GPUDevice;
  readonly pipelines: PipelineCache;
  readonly profile: DeviceProfile;
  readonly memory: DeviceMemory;
}

async function compilePrograms(
  compiler: Compiler,
  programs: readonly Program[],
): Promise<Map<Program, Stage[]>> {
  const { device, memory } = compiler;
  const entries = programs.map(async (program) => {
    const stages = await Promise.all(program.calls.map((call) => compileCall(compiler, call)));
    for (const { tensor, data } of program.constants) {
      const { buffer, offset } = memory.locate(tensor);
      upload(device, buffer, offset, data);
    }
    return [program, stages] as const;
  });
  return new Map(await Promise.all(entries));
}

async function compileCall(
  { device, pipelines, profile, memory }: Compiler,
  call: Program['calls'][number],
): Promise<Stage> {
  const dispatch = bindCall(call, profile);
  const { pipeline, bindings } = await pipelines.get(dispatch);
  const group = device.createBindGroup({
    label: call.kernel.name,
    layout: pipeline.getBindGroupLayout(0),
    entries: operandsOf(call)
      .filter(({ index }) => bindings.has(index))
      .map(({ index, tensor }) => ({
        binding: index,
        resource: memory.locate(tensor),
      })),
  });
  return { pipeline, group, workgroups: dispatch.workgroups };
}

function createPlayer(
  device: GPUDevice,
  memory: DeviceMemory,
  stages: ReadonlyMap<Program, readonly Stage[]>,
  health: Health,
): Player {
  const readback = createReadback(device);
  return {
    play(program, times = 1) {
      health.check();
      const played = stagesOf(stages, program);
      const most = runsPerSubmission(played);
      for (let left = times; left > 0; left -= most) {
        submitRuns(device, program.name, played, Math.min(left, most));
      }
    },
    async time(program) {
      health.check();
      const times = await timeStages(device, stagesOf(stages, program), readback);
      health.check();
      return times;
    },
    write(tensor, data) {
      health.check();
      const { buffer, offset, size } = memory.locate(tensor);
      if (data.byteLength !== size) throw wrongLength(tensor, data.byteLength, size);
      upload(device, buffer, offset, data);
    },
    async read(tensor) {
      health.check();
      const bytes = await readback.read(memory.locate(tensor)).catch((error: unknown) => {
        health.check();
        throw error;
      });
      health.check();
      return tensor.dtype === 'f32' ? new Float32Array(bytes) : new Uint32Array(bytes);
    },
    async settled() {
      await device.queue.onSubmittedWorkDone();
      health.check();
    },
    close() {
      readback.destroy();
      memory.destroy();
    },
  };
}

function submitRuns(
  device: GPUDevice,
  label: string,
  stages: readonly Stage[],
  times: number,
): void {
  const encoder = device.createCommandEncoder({ label });
  const pass = encoder.beginComputePass({ label });
  for (let run = 0; run < times; run++) {
    for (const stage of stages) recordStage(pass, stage);
  }
  pass.end();
  device.queue.submit([encoder.finish()]);
}

function stagesOf(stages: ReadonlyMap<Program, readonly Stage[]>, program: Program) {
  const found = stages.get(program);
  if (found) return found;
  throw new EngineError('shape-mismatch', `program ${program.name} was not loaded`);
}

function upload(
  device: GPUDevice,
  buffer: GPUBuffer,
  offset: number,
  data: Float32Array | Uint32Array,
): void {
  device.queue.writeBuffer(buffer, offset, data.buffer, data.byteOffset, data.byteLength);
}

function wrongLength(tensor: Tensor, given: number, expected: number): EngineError {
  return new EngineError(
    'shape-mismatch',
    `${describe(tensor)} takes ${expected} bytes but was given ${given}`,
  );
}
