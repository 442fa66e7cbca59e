import { both, type CaseMakers, numbers, slotWords } from './operands.ts';

/** Token shifts within sequences, and one token at a time. */
export const shiftCases = {
  token_shift_forward: (size, from) =>
    sequenceShapes(size).map(({ rows, width, sequence }) => ({
      name: `${rows} rows of ${width} in ${sequence}`,
      kernel: 'token_shift_forward',
      operands: {
        input: numbers([rows, width], from),
        mix: numbers([width], from),
        output: numbers([rows, width], from),
      },
      attributes: { rows, width, sequence },
    })),
  token_shift_backward_input: (size, from) =>
    sequenceShapes(size).flatMap(({ rows, width, sequence }) =>
      both.map((accumulate) => ({
        name: `${rows} rows of ${width} in ${sequence}, accumulate ${accumulate}`,
        kernel: 'token_shift_backward_input' as const,
        operands: {
          gradient: numbers([rows, width], from),
          mix: numbers([width], from),
          inputGradient: numbers([rows, width], from),
        },
        attributes: { rows, width, sequence, accumulate },
      })),
    ),
  token_shift_backward_mix: (size, from) =>
    sequenceShapes(size).map(({ rows, width, sequence }) => ({
      name: `${rows} rows of ${width} in ${sequence}`,
      kernel: 'token_shift_backward_mix',
      operands: {
        input: numbers([rows, width], from),
        gradient: numbers([rows, width], from),
        partial: numbers([Math.ceil(rows / 64), width], from),
      },
      attributes: { rows, width, sequence, chunk: 64 },
    })),
  token_shift_step: (size, from) =>
    [
      { steps: 2, rows: 3, width: size, slots: 5 },
      { steps: 1, rows: size, width: 5, slots: size + 1 },
    ].map((attributes) => ({
      name: JSON.stringify(attributes),
      kernel: 'token_shift_step',
      operands: {
        input: numbers([attributes.steps, attributes.rows, attributes.width], from),
        mix: numbers([attributes.width], from),
        slots: slotWords(attributes, from),
        previous: numbers([attributes.steps, attributes.slots, attributes.width], from),
        output: numbers([attributes.steps, attributes.rows, attributes.width], from),
      },
      attributes,
    })),
} satisfies Partial<CaseMakers>;

const sequenceShapes = (size: number) => [
  { rows: 2 * size, width: 3, sequence: size },
  { rows: 6, width: size, sequence: 3 },
  { rows: size, width: 5, sequence: 1 },
];
