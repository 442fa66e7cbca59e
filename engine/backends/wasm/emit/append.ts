import type { FunctionCode } from './function-code.ts';
import { signature, sized, text, unsigned } from './module.ts';

const HEADER_BYTES = 8;
const SECTIONS = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;

/**
 * A module with more functions `(args, first, last, scratch)` under their names. It imports no function,
 * and has one of this type already.
 */
export function appendFunctions(
  module: Uint8Array,
  functions: ReadonlyMap<string, FunctionCode>,
): Uint8Array<ArrayBuffer> {
  const sections = readSections(module);
  const type = typeIndexOf(contentOf(sections, SECTIONS.type));
  const [first] = readUnsigned(contentOf(sections, SECTIONS.function), 0);
  const added = {
    [SECTIONS.function]: [...functions].map(() => unsigned(type)),
    [SECTIONS.export]: [...functions.keys()].map((name, index) => [
      ...text(name),
      0,
      ...unsigned(first + index),
    ]),
    [SECTIONS.code]: [...functions.values()].map((code) => sized(code.encode())),
  };
  const parts = sections.map(({ id, content }) => {
    const items = (added as Readonly<Record<number, number[][]>>)[id];
    if (!items) return [id, ...unsigned(content.length), ...content];
    const [count, start] = readUnsigned(content, 0);
    const whole = [...unsigned(count + items.length), ...content.subarray(start), ...items.flat()];
    return [id, ...sized(whole)];
  });
  return Uint8Array.from([...module.subarray(0, HEADER_BYTES), ...parts.flat()]);
}

interface Section {
  readonly id: number;
  readonly content: Uint8Array;
}

function readSections(module: Uint8Array): Section[] {
  const sections: Section[] = [];
  for (let at = HEADER_BYTES; at < module.length;) {
    const id = module[at] ?? 0;
    const [size, start] = readUnsigned(module, at + 1);
    sections.push({ id, content: module.subarray(start, start + size) });
    at = start + size;
  }
  return sections;
}

function contentOf(sections: readonly Section[], wanted: number): Uint8Array {
  const found = sections.find(({ id }) => id === wanted);
  if (found) return found.content;
  throw new Error(`the module has no section ${wanted}`);
}

/** The place of the kernels' type among the types, all of them of functions. */
function typeIndexOf(types: Uint8Array): number {
  const [count, first] = readUnsigned(types, 0);
  let at = first;
  for (let index = 0; index < count; index++) {
    const start = at;
    const [parameters, afterCount] = readUnsigned(types, start + 1);
    const [results, end] = readUnsigned(types, afterCount + parameters);
    at = end + results;
    if (signature.every((byte, place) => types[start + place] === byte)) return index;
  }
  throw new Error('the module has no function of the type of a kernel');
}

/** A number, and where what follows it begins. */
function readUnsigned(bytes: Uint8Array, from: number): readonly [value: number, next: number] {
  let value = 0;
  for (let at = from, shift = 0; ; at++, shift += 7) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at + 1];
  }
}
