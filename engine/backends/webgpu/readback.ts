import type { Region } from './memory.ts';

/** Copies regions to the host through staging buffers that are used again and again. */
export interface Readback {
  read(region: Region): Promise<ArrayBuffer>;
  destroy(): void;
}

export function createReadback(device: GPUDevice): Readback {
  const all: GPUBuffer[] = [];
  const free: GPUBuffer[] = [];

  function take(size: number): GPUBuffer {
    const fits = free.findIndex((buffer) => buffer.size >= size);
    const [found] = fits < 0 ? [] : free.splice(fits, 1);
    if (found) return found;
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const buffer = device.createBuffer({ label: 'readback', size, usage });
    all.push(buffer);
    return buffer;
  }

  return {
    async read({ buffer, offset, size }) {
      const staging = take(size);
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(buffer, offset, staging, 0, size);
      device.queue.submit([encoder.finish()]);
      await staging.mapAsync(GPUMapMode.READ, 0, size);
      const bytes = staging.getMappedRange(0, size).slice(0);
      staging.unmap();
      free.push(staging);
      return bytes;
    },
    destroy: () => {
      for (const buffer of all) buffer.destroy();
    },
  };
}
