import type { Body, Layout, Store } from '../../kernel-language/body.ts';
import type { Analysis } from '../../kernel-language/levels.ts';

/** The device and the call that a kernel is compiled for. */
export interface Target {
  /** Name of the entry point. */
  readonly name: string;
  /** The binding of each operand. */
  binding(operand: string): number;
  attribute(name: string): number;
  /** How bits are packed: a word by one invocation (processors), or by 32 in workgroup memory. */
  readonly packing: 'word' | 'lanes';
  /** How many invocations share a row, and how they add up. */
  readonly row: { readonly kind: 'single' | 'subgroups' | 'tree'; readonly lanes: number };
}

/** A shader and the number of workgroups that it runs on. */
export interface Printed {
  readonly code: string;
  readonly workgroups: number;
}

export const WORKGROUP = 64;

/** The axes whose places are computed side by side. */
export function walkedAxes(body: Body): Body['domain'] {
  const sequential = new Set(body.sequences.map(({ coordinate }) => coordinate));
  return body.domain.filter(({ coordinate }) => !sequential.has(coordinate));
}

export function operandsIn({ all, body }: Analysis): readonly string[] {
  const loaded = all.flatMap((node) => (node.kind === 'load' ? [node.operand] : []));
  return [...new Set([...loaded, ...storesOf(body).map(({ operand }) => operand)])];
}

export function storesOf(body: Body): readonly Store[] {
  return [...body.stores, ...body.sequences.flatMap(({ stores }) => stores)];
}

export function layoutOf(body: Body, operand: string): Layout {
  const layout = body.layouts[operand];
  if (layout) return layout;
  throw new Error(`operand ${operand} has no layout`);
}

export function bindingType(body: Body, operand: string): 'f32' | 'u32' {
  const element = body.layouts[operand]?.element ?? 'f32';
  return element === 'f32' ? 'f32' : 'u32';
}
