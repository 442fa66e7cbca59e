/** The content of a file of groups and data sets, such as HDF5. */

/** Arrays that a data set of numbers may have. */
export type NumberData =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** A data set of numbers, row-major; a scalar has no axes. */
export interface NumberSet {
  readonly shape: readonly number[];
  readonly data: NumberData;
}

/** A data set of texts, row-major; a scalar has no axes. */
export interface TextSet {
  readonly shape: readonly number[];
  readonly texts: readonly string[];
}

/** An entry of a file: a group, numbers or texts. */
export type TreeEntry = TreeGroup | NumberSet | TextSet;
/** Entries of a group by their names, in the order of the file. */
export type TreeGroup = ReadonlyMap<string, TreeEntry>;

/** Whether an entry of a file is a group of entries. */
export function isTreeGroup(entry: TreeEntry): entry is TreeGroup {
  return entry instanceof Map;
}

/** Whether an entry of a file is a data set of texts. */
export function isTextSet(entry: TreeEntry): entry is TextSet {
  return !isTreeGroup(entry) && 'texts' in entry;
}

export function text(value: string): TextSet {
  return { shape: [], texts: [value] };
}

export type Shape = readonly number[];

/** Numbers of a node, row-major. A scalar has no axes and applies to every neuron. */
export interface NirTensor {
  readonly shape: Shape;
  readonly data: Float32Array | Float64Array;
}

/** Zero padding; `same` preserves the size, `valid` has none. */
type Padding<T> = T | 'same' | 'valid';

/** TypeScript types of the field kinds in the table below. */
interface FieldTypes {
  readonly tensor: NirTensor;
  readonly number: number;
  /** Height and width. */
  readonly pair: readonly [number, number];
  readonly shape: Shape;
  readonly padding: Padding<number>;
  readonly pairPadding: Padding<readonly [number, number]>;
}
export type FieldKind = keyof FieldTypes;

const integrator = { r: 'tensor' } as const;
const leaky = { tau: 'tensor', r: 'tensor', v_leak: 'tensor' } as const;
const synaptic = {
  tau_syn: 'tensor',
  tau_mem: 'tensor',
  r: 'tensor',
  v_leak: 'tensor',
  w_in: 'tensor?',
} as const;
const firing = { v_threshold: 'tensor', v_reset: 'tensor?' } as const;
const pool = { kernel_size: 'pair', stride: 'pair', padding: 'pair' } as const;

/**
 * The primitives and their fields by their names in files; `?` marks an optional one. Reading, writing and
 * the types below follow this table. See docs/design/nir.md for what each computes.
 */
export const primitives = {
  Input: { shape: 'shape' },
  Output: { shape: 'shape' },
  Affine: { weight: 'tensor', bias: 'tensor' },
  Linear: { weight: 'tensor' },
  Scale: { scale: 'tensor' },
  Conv1d: {
    input_shape: 'number?',
    weight: 'tensor',
    stride: 'number',
    padding: 'padding',
    dilation: 'number',
    groups: 'number',
    bias: 'tensor',
  },
  Conv2d: {
    input_shape: 'pair?',
    weight: 'tensor',
    stride: 'pair',
    padding: 'pairPadding',
    dilation: 'pair',
    groups: 'number',
    bias: 'tensor',
  },
  SumPool2d: pool,
  AvgPool2d: pool,
  Flatten: { input_type: 'shape?', start_dim: 'number', end_dim: 'number' },
  Threshold: { threshold: 'tensor' },
  Delay: { delay: 'tensor' },
  I: integrator,
  IF: { ...integrator, ...firing },
  LI: leaky,
  LIF: { ...leaky, ...firing },
  CubaLI: synaptic,
  CubaLIF: { ...synaptic, ...firing },
} as const satisfies Readonly<
  Record<string, Readonly<Record<string, FieldKind | `${FieldKind}?`>>>
>;

type Primitives = typeof primitives;
export type PrimitiveName = keyof Primitives;
// Object.keys loses the type of the keys.
export const primitiveNames = Object.keys(primitives) as readonly PrimitiveName[];

type Optional<F> = { [P in keyof F]: F[P] extends `${string}?` ? P : never }[keyof F];
type TypeOf<K> = K extends `${infer Kind extends FieldKind}?`
  ? FieldTypes[Kind]
  : K extends FieldKind
    ? FieldTypes[K]
    : never;
type Fields<F> = { readonly [P in Exclude<keyof F, Optional<F>>]: TypeOf<F[P]> } & {
  readonly [P in Optional<F>]?: TypeOf<F[P]>;
};

interface Described {
  /** Notes of a tool, which are not needed to run the network. */
  readonly metadata?: TreeGroup;
}

/** A node of one primitive. */
export type NirPrimitive<T extends PrimitiveName = PrimitiveName> = {
  readonly [P in T]: { readonly type: P } & Fields<Primitives[P]> & Described;
}[T];

/** From one node to another; inputs from several nodes are summed. */
export type NirEdge = readonly [source: string, target: string];

/** A graph of the neuromorphic intermediate representation. Its nodes may be graphs. */
export interface NirGraph extends Described {
  readonly type: 'NIRGraph';
  readonly nodes: ReadonlyMap<string, NirNode>;
  readonly edges: readonly NirEdge[];
}

/** A node of a graph: a primitive of NIR, or a graph. */
export type NirNode = NirPrimitive | NirGraph;
