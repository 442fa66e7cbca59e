import { EngineError } from '../../../errors.ts';
import type { Access } from '../../../kernel-language/levels.ts';
import type { Local } from './function-code.ts';

/** Names an element: accesses of the same one are alike. */
export function keyOf({ operand, indices }: Access): string {
  return `${operand}[${indices.map(({ id }) => id).join(',')}]`;
}

export function unsupported(what: string): EngineError {
  return new EngineError('invalid-equation', `${what}: vectors of this backend cannot`);
}

export function known<K>(locals: ReadonlyMap<K, Local>, key: K): Local {
  const local = locals.get(key);
  if (local !== undefined) return local;
  throw new Error(`${String(key)} is not known here`);
}
