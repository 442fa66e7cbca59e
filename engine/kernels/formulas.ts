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

/** The operand that each name of a formula stands for, by its place. */
type Names = Readonly<Record<string, number>>;

/**
 * The kernels of `formula`, an expression of the kernel language over `names`: one and the same for equal text.
 * Users' names stay out of kernels: operands are numbered.
 * @throws EngineError `invalid-equation` with line and column
 */
export function formulaKernels(formula: string, names: Names): FormulaKernels {
  const key = JSON.stringify([formula, names]);
  const known = kept.get(key);
  if (known) return known;
  for (const name of Object.keys(names)) checkName(name);
  const kernels = placed(names, () => makeKernels(`formula_${made++}`, formula, names));
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

const OUTPUT = 'output = ';

/** Counts lines and columns of an error from the beginning of the formula, which follows lines for its names. */
function placed<T>(names: Names, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const lines = Object.keys(names).length;
    const message = error.message.replace(
      /line (\d+), column (\d+)/,
      (_, line: string, column: string) => {
        const own = Number(line) - lines;
        return `line ${own}, column ${Number(column) - (own === 1 ? OUTPUT.length : 0)}`;
      },
    );
    throw new EngineError(error.code, `formula: ${message}`, { cause: error });
  }
}

const SIZE = { count: 'int' } as const;

function makeKernels(name: string, formula: string, names: Names): FormulaKernels {
  const places = [...new Set(Object.values(names))];
  const reads = Object.fromEntries(places.map((place) => [formulaInput(place), 'read' as const]));
  const row = { operands: { ...reads, output: 'write' as const }, attributes: SIZE };
  const definition = definitionOf(formula, names);
  const gradientFor = (index: number, accumulates: boolean) =>
    gradientOf(parseBody(row, definition, {}), {
      given: { output: 'gradient' },
      wanted: { [formulaInput(index)]: 'target' },
      accumulates,
    });
  const backward = places.flatMap((index): [number, WrittenKernel][] => {
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

function definitionOf(formula: string, names: Names): Definition {
  const shapes = Object.values(names).map((place) => [formulaInput(place), 'f32[count]']);
  const named = Object.entries(names).map(([name, place]) => `${name} = ${formulaInput(place)}`);
  return {
    over: { element: 'count' },
    shapes: { ...Object.fromEntries(shapes), output: 'f32[count]' },
    equations: [...named, `${OUTPUT}${formula}`].join('\n'),
  };
}
