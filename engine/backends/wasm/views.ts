import { EngineError } from '../../errors.ts';
import { byteLength, describe, type Tensor, wordCount } from '../../graph/tensor.ts';
import type { Addresses } from './memory.ts';

/** Reads and writes tensors in the module's memory; views are made once. */
export function createViews(memory: WebAssembly.Memory, addresses: Addresses) {
  const viewOf = (tensor: Tensor) =>
    tensor.dtype === 'f32'
      ? new Float32Array(memory.buffer, addresses.of(tensor), wordCount(tensor))
      : new Uint32Array(memory.buffer, addresses.of(tensor), wordCount(tensor));
  const known = new Map<Tensor, Float32Array | Uint32Array>();
  const remembered = (tensor: Tensor) => {
    const view = known.get(tensor) ?? viewOf(tensor);
    known.set(tensor, view);
    return view;
  };
  return {
    write(tensor: Tensor, data: Float32Array | Uint32Array): void {
      if (data.byteLength !== byteLength(tensor)) {
        throw new EngineError(
          'shape-mismatch',
          `${describe(tensor)} takes ${byteLength(tensor)} bytes but was given ${data.byteLength}`,
        );
      }
      remembered(tensor).set(data);
    },
    read: (tensor: Tensor) => remembered(tensor).slice(),
  };
}
