/* The binary format: WebAssembly core specification 3.0, chapter 5; limits of shared memories included. */

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const I32 = 0x7f;
const FUNCTION = 0x60;
const MEMORY = 0x02;
/** One page and more; or shared, two pages up to all that 32 bits address. */
const OWN_LIMITS = [0, 1];
const SHARED_LIMITS = [3, 2, 0x80, 0x80, 0x04];

/** The type of a kernel: address of the arguments, first and last item, scratch memory. */
export const signature: readonly number[] = [FUNCTION, 4, I32, I32, I32, I32, 0];

/** The code of a function, with its locals. */
interface Encoded {
  encode(): readonly number[];
}

/** Functions `(args, first, last, scratch)` under their names, on an imported memory `env.memory`. */
export function encodeModule(
  functions: ReadonlyMap<string, Encoded>,
  memory: 'own' | 'shared',
): Uint8Array<ArrayBuffer> {
  const limits = memory === 'shared' ? SHARED_LIMITS : OWN_LIMITS;
  const names = [...functions.keys()];
  return Uint8Array.from([
    ...HEADER,
    ...section(1, vector([signature])),
    ...section(2, vector([[...text('env'), ...text('memory'), MEMORY, ...limits]])),
    ...section(3, vector(names.map(() => [0]))),
    ...section(7, vector(names.map((name, index) => [...text(name), 0, ...unsigned(index)]))),
    ...section(10, vector([...functions.values()].map((code) => sized(code.encode())))),
  ]);
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...sized(content)];
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

export function sized(content: readonly number[]): number[] {
  return [...unsigned(content.length), ...content];
}

export function text(value: string): number[] {
  return sized([...new TextEncoder().encode(value)]);
}

/** LEB128 without a sign. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** LEB128 with a sign. */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value | 0; ;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}
