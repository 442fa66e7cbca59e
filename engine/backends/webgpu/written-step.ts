import { closureOf, type Expression, ExpressionPool } from '../../kernel-language/expression.ts';
import type { WrittenNeuron } from '../../kernels/written-neuron.ts';
import { Printer } from './printer.ts';
import { librariesOf } from './wgsl-text.ts';

/** Operands of a step by their bindings, which name them in the text: `o0`. */
const OPERANDS = ['states', 'constants', 'input', 'dt'] as const;

/**
 * The step of a simulated neuron in WGSL, as `NeuronModel.wgsl` describes it, and the files that it calls; no
 * name of its text is in it.
 */
export function printStep(neuron: WrittenNeuron) {
  const pool = new ExpressionPool();
  const at = (operand: (typeof OPERANDS)[number], index: number): Expression =>
    pool.load(operand, 'f32', [pool.constant(index, 'i32')]);
  const fixed = neuron.parameters.length;
  const { next, spike } = neuron.step({
    pool,
    current: at('input', 0),
    dt: at('dt', 0),
    state: (index) => at('states', index),
    parameter: (index) => at('constants', index),
    learned: (index) => at('constants', fixed + index),
  });
  const constants = Math.max(1, fixed + neuron.learned.length);
  const sizes = { states: neuron.states.length, constants, input: 1, dt: 1 };
  const layouts = Object.fromEntries(
    OPERANDS.map((name) => [name, { element: 'f32', axes: [sizes[name]] } as const]),
  );
  const printer = new Printer(
    { pool, domain: [], layouts, sequences: [], stores: [] },
    {
      name: 'step',
      binding: (operand) => OPERANDS.findIndex((name) => name === operand),
      attribute: () => 0,
      packing: 'word',
      row: { kind: 'single', lanes: 1 },
    },
  );
  const code = [
    `fn step(state: ptr<function, array<f32, ${sizes.states}>>, own: array<f32, ${constants}>, input: f32, dt: f32) -> bool {`,
    'let o0 = *state;',
    'let o1 = own;',
    'let o2 = array<f32, 1>(input);',
    'let o3 = array<f32, 1>(dt);',
    ...printer.lines([...next, spike]),
    ...next.map((value, index) => `(*state)[${index}] = ${printer.name(value)};`),
    `return ${printer.mask(spike)};`,
    '}',
  ].join('\n');
  return { code, libraries: librariesOf(closureOf([...next, spike])) };
}
