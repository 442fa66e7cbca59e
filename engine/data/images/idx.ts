import { EngineError } from '../../errors.ts';

/** A file in the format of the MNIST digits: unsigned bytes with a shape. */
interface IdxArray {
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** Two zeros, the element kind, the number of axes; then each axis as a big-endian u32. */
const HEADER_BYTES = 4;
const AXIS_BYTES = 4;
const UNSIGNED_BYTES = 0x08;

/**
 * Reads an IDX file of unsigned bytes with `axes` axes. The elements are a view of `file`. Throws
 * EngineError `images-invalid` that names the file, what is wrong with it and what was expected.
 */
export function parseIdx(name: string, file: Uint8Array, axes: number): IdxArray {
  const refuse = (message: string): never => {
    throw new EngineError('images-invalid', `${name} is no such IDX file: ${message}`);
  };
  const start = HEADER_BYTES + AXIS_BYTES * axes;
  const expected = Uint8Array.of(0, 0, UNSIGNED_BYTES, axes);
  const magic = file.subarray(0, HEADER_BYTES);
  if (magic.length < HEADER_BYTES || magic.some((byte, i) => byte !== expected[i])) {
    refuse(`it starts with ${hex(magic)}, expected ${hex(expected)} (${axes} axes of bytes)`);
  }
  if (file.length < start) {
    refuse(`it ends after ${file.length} bytes, within its header of ${start}`);
  }
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const shape = Array.from({ length: axes }, (_, axis) =>
    view.getUint32(HEADER_BYTES + AXIS_BYTES * axis),
  );
  const count = shape.reduce((product, axis) => product * axis, 1);
  if (file.length - start !== count) {
    refuse(
      `${shape.join(' x ')} needs ${count} bytes after the header, it has ${file.length - start}`,
    );
  }
  return { shape, bytes: file.subarray(start) };
}

function hex(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'nothing';
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
