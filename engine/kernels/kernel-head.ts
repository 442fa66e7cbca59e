import type { Kernel, Schema } from '../graph/kernel.ts';
import type { Body } from '../kernel-language/body.ts';
import { closureOf, type Expression, type Operator } from '../kernel-language/expression.ts';
import { allRoots, printBody } from '../kernel-language/print-body.ts';
import { isWritten, variantsOf } from '../kernel-language/written-kernel.ts';

/** How far an inexact function may be from its value: units in the last place (ulp), or an absolute distance. */
const ERRORS: Partial<Record<Operator, string>> = {
  exp: 'exp within 2 ulp (WGSL: 3 + 2|x| ulp)',
  log: 'log within 2 ulp (WGSL: 3 ulp)',
  tanh: 'tanh within 3 ulp (WGSL: 2e-7)',
  sin: 'sin within 1e-7',
  cos: 'cos within 1e-7',
};

/**
 * Operands, attributes, and what the kernel computes: its equations with their layouts and exactness, once for each
 * choice of names and flags that changes them; of a kernel by hand where its text stands.
 */
export function kernelHead(kernel: Kernel): string {
  const operands = Object.entries(kernel.operands).map(([name, role]) => `${name} (${role})`);
  const attributes = Object.entries(kernel.attributes).map(
    ([name, type]) => `${name}: ${spell(type)}`,
  );
  return [
    `${kernel.name}, of ${kernel.area}`,
    `operands: ${operands.join(', ')}`,
    `attributes: ${attributes.join(', ') || 'none'}`,
    ...(isWritten(kernel)
      ? variantsOf(kernel)
          .toReversed()
          .flatMap(({ name, body }) => ['', `${name}:`, printBody(body), exactness(body)])
      : ['', `by hand: shaders/${kernel.area}/${kernel.name}.wgsl says what it computes`]),
  ].join('\n');
}

function spell(type: Schema[string]): string {
  if (typeof type === 'string') return type;
  if ('oneOf' in type) return Object.keys(type.oneOf).join(' or ');
  return 'host' in type ? 'of the host' : type.join(' or ');
}

function exactness(body: Body): string {
  const all = closureOf(allRoots(body));
  const operators = all.flatMap((node: Expression) =>
    node.kind === 'apply' ? [node.operator] : [],
  );
  const isJoined = all.some(({ kind }) => kind === 'mean');
  const inexact = [...new Set(operators)].flatMap((operator) => {
    const error = ERRORS[operator];
    return error === undefined ? [] : [error];
  });
  if (isJoined) inexact.unshift('a mean adds up in an order of each backend');
  return `exact: float32 in the order of the text in plain WASM; elsewhere a x + b may be rounded once${inexact.map((one) => `; ${one}`).join('')}`;
}
