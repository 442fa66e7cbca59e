import { EngineError } from '../../errors.ts';

/** What makes one standard_transformer model differ from another in shape. */
export interface TransformerStructure {
  readonly vocabulary: number;
  /** d_model. */
  readonly width: number;
  readonly heads: number;
  readonly blocks: number;
  /** Places that have a learned vector: the longest text the model can look at. */
  readonly sequence: number;
}

/** What is beyond these is a slip of the finger: tracing it would take for ever. */
const LARGEST: Readonly<Record<keyof TransformerStructure, number>> = {
  vocabulary: 0x110000,
  width: 1 << 14,
  heads: 1 << 10,
  blocks: 1 << 8,
  sequence: 1 << 14,
};
const NAMES: Readonly<Record<keyof TransformerStructure, string>> = {
  vocabulary: 'vocabulary',
  width: 'd_model',
  heads: 'heads',
  blocks: 'blocks',
  sequence: 'seq_len',
};

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkTransformerStructure(structure: TransformerStructure): void {
  // Object.keys loses the type of the keys.
  for (const key of Object.keys(NAMES) as (keyof TransformerStructure)[]) {
    const [value, most] = [structure[key], LARGEST[key]];
    if (Number.isInteger(value) && value >= 1 && value <= most) continue;
    refuse(`${NAMES[key]} is ${value}: expected a whole number from 1 to ${most}`);
  }
  const { width, heads } = structure;
  if (width % heads !== 0) {
    refuse(`d_model ${width} is not divisible by ${heads} heads: expected a multiple of ${heads}`);
  }
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `standard_transformer: ${message}`);
}
