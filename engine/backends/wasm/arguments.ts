import { derivedOf, type Kernel, type KernelCall } from '../../graph/kernel.ts';
import { CONVOLUTION } from '../../kernels/convolution.ts';
import type { Tensor } from '../../graph/tensor.ts';

/**
 * The words that a kernel of the module takes, in order: an address (or the bytes between two), a whole number
 * or a float. The build writes a class with these fields for each kernel of assembly/, and binders hand
 * values over by name, so that no place among the words is written down anywhere.
 */
export type Words = Readonly<Record<string, 'address' | 'int' | 'float'>>;

/** Words that kernels take after those of their row. */
const ADDED: Readonly<Record<string, Words>> = {
  token_chain: { tableAt: 'address', tableBits: 'int' },
  linear_backward_spikes: { panelsAt: 'address' },
  recurrent_lif_forward: { slabsAt: 'address' },
  recurrent_lif_backward: { panelsAt: 'address' },
  conv2d_forward: { slabsAt: 'address' },
  deliver_spikes: { parts: 'int' },
};

const PRODUCT = { rows: 'int', columns: 'int', depth: 'int' } as const;

/** Bias and residual are added to the sums of a product, and the output keeps what it holds where it accumulates. */
const EPILOGUE = {
  biasAt: 'address',
  residualAt: 'address',
  residualRows: 'int',
  accumulate: 'int',
} as const;

/** Kernels of the module that are no row of the table, as several rows use them. */
export const SHARED = {
  pack_panels: {
    sourceAt: 'address',
    panelsAt: 'address',
    depth: 'int',
    columns: 'int',
    /** Whether the source is [columns, depth]. */
    isTransposed: 'int',
  },
  product: {
    leftAt: 'address',
    panelsAt: 'address',
    outputAt: 'address',
    ...PRODUCT,
    /** Bytes between the rows of the left side, and along its depth. */
    rowBytes: 'address',
    stepBytes: 'address',
    ...EPILOGUE,
  },
  pack_slabs: { weightAt: 'address', slabsAt: 'address', depth: 'int', columns: 'int' },
  /** Lists are u16 [rows][depth rounded up to 32], counts u32 [rows][ceil(depth / 256)]. */
  decode_events: { spikesAt: 'address', listsAt: 'address', countsAt: 'address', depth: 'int' },
  spike_product: {
    spikesAt: 'address',
    slabsAt: 'address',
    outputAt: 'address',
    ...PRODUCT,
    groupRows: 'int',
    ...EPILOGUE,
  },
  spike_product_columns: {
    listsAt: 'address',
    countsAt: 'address',
    weightAt: 'address',
    outputAt: 'address',
    ...PRODUCT,
    groupRows: 'int',
    /** Whether slabs are copied before they are used. */
    isCopied: 'int',
    ...EPILOGUE,
  },
} as const satisfies Readonly<Record<string, Words>>;

/** Words that lie side by side in several kernels: functions that these share take them as one. */
export const PARTS: Readonly<Record<string, Words>> = {
  Epilogue: EPILOGUE,
  Window: attributeWords(CONVOLUTION),
};

/** The words of a kernel by hand: its operands, its attributes, what it derives from them, what is added here. */
export function wordsOf({ name, operands, attributes, derived = {} }: Kernel): Words {
  return {
    ...Object.fromEntries(Object.keys(operands).map((operand) => [`${operand}At`, 'address'])),
    ...attributeWords(attributes),
    ...Object.fromEntries(Object.entries(derived).map(([word, { type }]) => [word, type])),
    ...ADDED[name],
  };
}

/** Flags are 0 or 1, and names their place in the row; what only the host reads is no word. */
function attributeWords(attributes: Kernel['attributes']): Words {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, type]): [string, 'int' | 'float'][] => {
      if (type === 'float') return [[name, 'float']];
      return typeof type === 'string' || Array.isArray(type) ? [[name, 'int']] : [];
    }),
  );
}

/** A float among the arguments; the others are whole numbers and addresses. */
interface Real {
  readonly real: number;
}

export type Argument = number | Real;

export function real(value: number): Real {
  return { real: value };
}

export type Values = Readonly<Record<string, number>>;

/** The words of a call that follow from its row, by name. */
export function valuesOf(
  call: KernelCall,
  { at }: { readonly at: (tensor: Tensor | undefined) => number },
): Values {
  const { kernel, operands, attributes } = call;
  const values = Object.entries(kernel.attributes).map(([name, type]) => {
    const value = attributes[name];
    return [name, Array.isArray(type) ? type.indexOf(value) : Number(value)];
  });
  return {
    ...Object.fromEntries(
      Object.keys(kernel.operands).map((name) => [`${name}At`, at(operands[name])]),
    ),
    ...Object.fromEntries(values),
    ...derivedOf(call),
  };
}

/** Puts values in the order of the words. */
export function packWords(kernel: string, words: Words, values: Values): readonly Argument[] {
  return Object.entries(words).map(([name, type]) => {
    const value = values[name];
    if (value === undefined || Number.isNaN(value)) {
      throw new Error(`${kernel}: the word ${name} is ${value}, expected a number`);
    }
    return type === 'float' ? real(value) : value;
  });
}
