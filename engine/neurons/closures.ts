import { closureOf, type Expression, ExpressionPool } from '../kernel-language/expression.ts';
import { operationOf } from '../kernel-language/operators.ts';
import type { WrittenNeuron } from '../kernels/written-neuron.ts';

/** Takes a neuron a step on in float64: overwrites `state`, tells whether it fired. */
type WrittenStep = (
  state: Float64Array,
  /** The parameters, then the learned ones. */
  constants: ArrayLike<number>,
  input: number,
  dt: number,
) => boolean;

/** The step of a neuron as closures, one for each operation. Alone it is the mean of its group. */
export function compileStep(neuron: WrittenNeuron): WrittenStep {
  const pool = new ExpressionPool();
  const fixed = neuron.parameters.length;
  const { next, spike } = neuron.step({
    pool,
    current: pool.load('input', 'f32', []),
    dt: pool.attribute('dt', 'f32'),
    state: (index) => pool.state(String(index), 'f32'),
    parameter: (index) => pool.attribute(String(index), 'f32'),
    learned: (index) => pool.attribute(String(fixed + index), 'f32'),
  });
  const nodes = closureOf([...next, spike]);
  const registers = new Float64Array((nodes.at(-1)?.id ?? 0) + 1);
  const given = nodes.filter(({ kind }) => kind !== 'apply' && kind !== 'mean');
  const operations = nodes.flatMap((node) => {
    if (node.kind === 'mean') return [() => copyRegister(registers, node.value.id, node.id)];
    return node.kind === 'apply' ? [operationOf(node, registers)] : [];
  });
  const nextIds = next.map(({ id }) => id);
  return (state, constants, input, dt) => {
    for (const node of given) registers[node.id] = valueOf(node, { state, constants, input, dt });
    for (const operate of operations) operate();
    for (const [index, id] of nextIds.entries()) state[index] = registers[id] ?? 0;
    return registers[spike.id] !== 0;
  };
}

function copyRegister(registers: Float64Array, from: number, to: number): void {
  registers[to] = registers[from] ?? 0;
}

interface Given {
  readonly state: Float64Array;
  readonly constants: ArrayLike<number>;
  readonly input: number;
  readonly dt: number;
}

function valueOf(node: Expression, { state, constants, input, dt }: Given): number {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'attribute':
      return node.name === 'dt' ? dt : (constants[Number(node.name)] ?? 0);
    case 'state':
      return state[Number(node.name)] ?? 0;
    default:
      return input;
  }
}
