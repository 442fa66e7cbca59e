import { EngineError } from '../../errors.ts';
import { describe, type Tensor, wordCount } from '../../graph/tensor.ts';
import type { Addresses } from './memory.ts';

/** Reads and writes tensors in the module's memory; views are made once. */
export function createViews(memory: WebAssembly.Memory, addresses: Addresses) {
  const viewOf = (tensor: Tensor) =>
    tensor.dtype === 'f32'
      ? new Float32Array(memory.buffer, addresses.of(tensor), wordCount(tensor))
      : new Uint32Array(memory.buffer, addresses.of(tensor), wordCount(tensor));
  const known = new Map<Tensor, Float32Array | Uint32Array>();
  const remembered = (tensor: Tensor) => {
    const found = known.get(tensor);
    if (found) return found;
    const view = viewOf(tensor);
    known.set(tensor, view);
    return view;
  };
  return {
    write(tensor: Tensor, data: Float32Array | Uint32Array): void {
      const view = remembered(tensor);
      if (data.byteLength !== view.byteLength) {
        throw new EngineError(
          'shape-mismatch',
          `${describe(tensor)} takes ${view.byteLength} bytes but was given ${data.byteLength}`,
        );
      }
      view.set(data);
    },
    read: (tensor: Tensor) => remembered(tensor).slice(),
  };
}
