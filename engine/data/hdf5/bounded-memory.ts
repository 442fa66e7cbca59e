/** As far as it is used here; the types of Node name no values of WebAssembly. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const PAGE_BYTES = 2 ** 16;

/**
 * Runs a call into a library of WebAssembly that may not make its memory larger than so many bytes. A length in a
 * damaged file makes the library ask for all that there is: it is refused, and the library reports it as any
 * failed allocation. The bound holds for this call alone, which has to end before another one begins.
 */
export function withBoundedMemory<T>(maxBytes: number, run: () => T): T {
  const { Memory } = Reflect.get(globalThis, 'WebAssembly') as {
    readonly Memory: { readonly prototype: WasmMemory };
  };
  const grow = Reflect.get(Memory.prototype, 'grow');
  Memory.prototype.grow = function growWithin(this: WasmMemory, pages) {
    const bytes = this.buffer.byteLength + pages * PAGE_BYTES;
    if (bytes > maxBytes) throw new RangeError(`${bytes} bytes of at most ${maxBytes}`);
    return grow.call(this, pages);
  };
  try {
    return run();
  } finally {
    Memory.prototype.grow = grow;
  }
}
