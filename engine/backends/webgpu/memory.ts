import { EngineError } from '../../errors.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { byteLength, describe, type Tensor } from '../../graph/tensor.ts';

/** Where a tensor lies on the device. */
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
 * Allocates the blocks that the programs share (parameters, gradients, moments, one arena) and each
 * program's own, once. New buffers are zero. Throws EngineError `out-of-memory` naming the bytes.
 */
export async function allocateMemory(
  device: GPUDevice,
  layout: ParameterLayout,
  programs: readonly Program[],
): Promise<DeviceMemory> {
  const buffers: GPUBuffer[] = [];
  const regions = new Map<Tensor, Region>();
  const allocate = async (label: string, bytes: number) => {
    const buffer = await createBuffer(device, label, bytes);
    buffers.push(buffer);
    return buffer;
  };
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
  const arena = await allocate('arena', Math.max(...programs.map((p) => p.arena.arenaBytes)));
  for (const program of programs) {
    const locals = await allocate(`${program.name} locals`, program.localBytes);
    for (const { tensor, offsetBytes } of program.locals) place(tensor, locals, offsetBytes);
    for (const { tensor, offsetBytes } of program.arena.placements) {
      place(tensor, arena, offsetBytes);
    }
  }
  return {
    locate(tensor) {
      const region = regions.get(tensor);
      if (region) return region;
      throw new EngineError('shape-mismatch', `no loaded program holds ${describe(tensor)}`);
    },
    destroy: () => {
      for (const buffer of buffers) buffer.destroy();
    },
  };
}

async function createBuffer(device: GPUDevice, label: string, bytes: number): Promise<GPUBuffer> {
  const largest = Math.min(device.limits.maxBufferSize, device.limits.maxStorageBufferBindingSize);
  if (bytes > largest) {
    throw new EngineError(
      'out-of-memory',
      `${label}: ${bytes} bytes needed, the device allows ${largest} in one buffer`,
    );
  }
  device.pushErrorScope('out-of-memory');
  const buffer = device.createBuffer({
    label,
    size: Math.max(bytes, Uint32Array.BYTES_PER_ELEMENT),
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
  });
  const error = await device.popErrorScope();
  if (error) {
    throw new EngineError('out-of-memory', `${label}: the device cannot give ${bytes} bytes`);
  }
  return buffer;
}
