import { emitKernel } from './emit-kernel.ts';
import type { FunctionCode } from './function-code.ts';
import { encodeModule } from './module.ts';
import type { Missing } from './plan.ts';

/** The instructions of a build, and whose memory it works on. */
export interface ModuleKind {
  readonly isRelaxed: boolean;
  readonly memory: 'own' | 'shared';
}

/** A module of kernels that no build has. */
export function emitMissing(
  missing: readonly Missing[],
  { isRelaxed, memory }: ModuleKind,
): Uint8Array<ArrayBuffer> {
  const functions = new Map<string, FunctionCode>();
  for (const { variant, plan, operands } of missing) {
    functions.set(variant.name, emitKernel(plan, { ...variant, operands }, isRelaxed));
  }
  return encodeModule(functions, memory);
}
