import { EngineError } from '../../errors.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import { type Program, sharedTensors } from '../../graph/program.ts';
import { byteLength, describe, type Tensor } from '../../graph/tensor.ts';

/** Location of a tensor on the device. */
export interface Region {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly size: number;
}

export interface DeviceMemory {
  /** Throws for a tensor that belongs to none of the programs. */
  locate(tensor: Tensor): Region;
  destroy(): void;
}

/**
 * Allocates the blocks that the programs share (parameters, gradients, moments, tensors that they name
 * together, one arena) and each program's own, once. New buffers are zero. Throws EngineError `out-of-memory` naming the bytes:
 * before anything is allocated where a block exceeds the device's limits, and after giving all back
 * where the device runs out.
 */
export async function allocateMemory(
  device: GPUDevice,
  layout: ParameterLayout,
  programs: readonly Program[],
): Promise<DeviceMemory> {
  checkLimits(device, layout, programs);
  const buffers: GPUBuffer[] = [];
  const destroy = () => {
    for (const buffer of buffers) buffer.destroy();
  };
  const allocate = async (label: string, bytes: number) => {
    const buffer = await createBuffer(device, label, bytes);
    buffers.push(buffer);
    return buffer;
  };
  try {
    const regions = await placeTensors(allocate, layout, programs);
    return { locate: (tensor) => regionOf(regions, tensor), destroy };
  } catch (error) {
    destroy();
    throw error;
  }
}

type Allocate = (label: string, bytes: number) => Promise<GPUBuffer>;

async function placeTensors(
  allocate: Allocate,
  layout: ParameterLayout,
  programs: readonly Program[],
): Promise<ReadonlyMap<Tensor, Region>> {
  const regions = new Map<Tensor, Region>();
  const place = (tensor: Tensor, buffer: GPUBuffer, offset: number) =>
    regions.set(tensor, { buffer, offset, size: byteLength(tensor) });

  const values = await allocate('parameters', layout.blockBytes);
  const gradients = await allocate('gradients', layout.blockBytes);
  const moments = await allocate('moments', 2 * layout.blockBytes);
  place(layout.values, values, 0);
  place(layout.gradients, gradients, 0);
  place(layout.momentum, moments, 0);
  place(layout.variance, moments, layout.blockBytes);
  for (const parameter of layout.parameters) {
    place(parameter.value, values, parameter.offsetBytes);
    place(parameter.gradient, gradients, parameter.offsetBytes);
  }
  for (const tensor of sharedTensors(programs)) {
    place(tensor, await allocate(tensor.name, byteLength(tensor)), 0);
  }
  const arena = await allocate('arena', arenaBytes(programs));
  for (const program of programs) {
    const locals = await allocate(`${program.name} locals`, program.localBytes);
    for (const { tensor, offsetBytes } of program.locals) place(tensor, locals, offsetBytes);
    for (const { tensor, offsetBytes } of program.arena.placements) {
      place(tensor, arena, offsetBytes);
    }
  }
  return regions;
}

function regionOf(regions: ReadonlyMap<Tensor, Region>, tensor: Tensor): Region {
  const region = regions.get(tensor);
  if (region) return region;
  throw new EngineError('shape-mismatch', `no loaded program holds ${describe(tensor)}`);
}

function checkLimits(
  { limits }: GPUDevice,
  layout: ParameterLayout,
  programs: readonly Program[],
): void {
  const largest = Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
  const blocks = [
    ['parameters', layout.blockBytes],
    ['moments', 2 * layout.blockBytes],
    ['arena', arenaBytes(programs)],
    ...sharedTensors(programs).map((tensor) => [tensor.name, byteLength(tensor)] as const),
    ...programs.map(({ name, localBytes }) => [`${name} locals`, localBytes] as const),
  ] as const;
  for (const [label, bytes] of blocks) {
    if (bytes <= largest) continue;
    throw new EngineError(
      'out-of-memory',
      `${label}: ${bytes} bytes needed, the device allows ${largest} in one buffer`,
    );
  }
}

function arenaBytes(programs: readonly Program[]): number {
  return Math.max(...programs.map((program) => program.arena.arenaBytes));
}

async function createBuffer(device: GPUDevice, label: string, bytes: number): Promise<GPUBuffer> {
  device.pushErrorScope('out-of-memory');
  const buffer = device.createBuffer({
    label,
    size: Math.max(bytes, Uint32Array.BYTES_PER_ELEMENT),
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
  });
  const error = await device.popErrorScope();
  if (error) {
    buffer.destroy();
    throw new EngineError('out-of-memory', `${label}: the device cannot give ${bytes} bytes`);
  }
  return buffer;
}
