import { EngineError } from '../errors.ts';
import { gradientOf } from '../kernel-language/gradient-body.ts';
import { type Definition, parseBody } from '../kernel-language/parse-body.ts';
import { equations, type WrittenKernel } from '../kernel-language/written-kernel.ts';
import { ACCUMULATE } from './table.ts';

/** The kernels of a function of some numbers, element by element, that was given as text. */
interface FormulaKernels {
  readonly forward: WrittenKernel;
  /** The gradient of each input that the formula has one of, by its place. */
  readonly backward: ReadonlyMap<number, WrittenKernel>;
}

const MAX_KEPT = 256;
const kept = new Map<string, FormulaKernels>();
let made = 0;

/**
 * The kernels of `formula`, an expression of the kernel language over the names of `inputs`: one and the same
 * for equal text. Users' names stay out of kernels: operands are numbered.
 * @throws EngineError `invalid-equation` with line and column
 */
export function formulaKernels(formula: string, inputs: readonly string[]): FormulaKernels {
  const key = JSON.stringify([formula, inputs]);
  const known = kept.get(key);
  if (known) return known;
  for (const name of inputs) checkName(name);
  const kernels = makeKernels(`formula_${made++}`, formula, inputs);
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, kernels);
  return kernels;
}

/** The operand of the input with this place. */
export const formulaInput = (index: number) => `input${index}`;

const OWN_NAMES = /^(output|state|after|input\d+)$/;

function checkName(name: string): void {
  if (/^[A-Za-z]\w{0,63}$/.test(name) && !OWN_NAMES.test(name)) return;
  throw new EngineError(
    'invalid-equation',
    `an input of a formula is named ${JSON.stringify(name.slice(0, 80))}: expected a letter and then letters, ` +
      'digits or _, and not output, state, after or input0',
  );
}

const SIZE = { count: 'int' } as const;

function makeKernels(name: string, formula: string, inputs: readonly string[]): FormulaKernels {
  const reads = Object.fromEntries(inputs.map((_, i) => [formulaInput(i), 'read' as const]));
  const row = { operands: { ...reads, output: 'write' as const }, attributes: SIZE };
  const definition = definitionOf(formula, inputs);
  const gradientFor = (index: number, accumulates: boolean) =>
    gradientOf(parseBody(row, definition, {}), {
      given: { output: 'gradient' },
      wanted: { [formulaInput(index)]: 'target' },
      accumulates,
    });
  const backward = inputs.flatMap((_, index): [number, WrittenKernel][] => {
    if (gradientFor(index, false).stores.length === 0) return [];
    const kernel: WrittenKernel = {
      name: `${name}_gradient_${index}`,
      area: 'formula',
      operands: { ...reads, gradient: 'read', target: 'update' },
      attributes: { ...SIZE, ...ACCUMULATE },
      write: (choices) => gradientFor(index, choices['accumulate'] === true),
    };
    return [[index, kernel]];
  });
  const forward = { name, area: 'formula', ...row, write: equations(definition) };
  return { forward, backward: new Map(backward) };
}

function definitionOf(formula: string, inputs: readonly string[]): Definition {
  const shapes = inputs.map((_, i) => [formulaInput(i), 'f32[count]']);
  // Names lead up to the formula, which stays on the first line: errors count lines from there.
  const named = inputs.map((name, i) => `${name} = ${formulaInput(i)}`);
  return {
    over: { element: 'count' },
    shapes: { ...Object.fromEntries(shapes), output: 'f32[count]' },
    equations: [...named, `output = ${formula}`].join('\n'),
  };
}
