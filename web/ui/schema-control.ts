import type * as z from 'zod/v4/core';
import type { NumberRule } from './number-input.ts';

/** A control for the values of a schema. */
export type SchemaControl =
  | { readonly kind: 'text'; readonly maxLength: number | undefined }
  | { readonly kind: 'number'; readonly rule: NumberRule }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'switch' };

/** Schemas around another one that do not change how its values are entered. */
interface Wrapper {
  readonly innerType?: z.$ZodType;
}

/** A check of a schema as zod stores it: which members it has depends on its kind. */
interface CheckDefinition {
  readonly check?: string;
  readonly value?: number | bigint | Date;
  readonly inclusive?: boolean;
  readonly maximum?: number;
  readonly format?: string;
}

/**
 * The control for a field of the contract: its kind and limits come from the schema.
 *
 * @throws TypeError for a schema whose values no single control can hold, such as an array
 */
export function controlOf({ _zod: internals }: z.$ZodType): SchemaControl {
  const definition = internals.def as z.$ZodTypeDef & Wrapper & CheckDefinition;
  if (definition.innerType) return controlOf(definition.innerType);
  // A format, as of z.int(), is a check in the definition of its own schema.
  const checks = [definition, ...(definition.checks ?? []).map(definitionOf)];
  switch (definition.type) {
    case 'string':
      return { kind: 'text', maxLength: checks.find(({ maximum }) => maximum)?.maximum };
    case 'number':
      return { kind: 'number', rule: ruleOf(checks) };
    case 'enum':
      return { kind: 'choice', options: Array.from(internals.values ?? [], String) };
    case 'boolean':
      return { kind: 'switch' };
    default:
      throw new TypeError(`no control holds the values of a schema of type "${definition.type}"`);
  }
}

const definitionOf = ({ _zod: internals }: z.$ZodCheck): CheckDefinition => internals.def;

function ruleOf(checks: readonly CheckDefinition[]): NumberRule {
  const limit = (check: string) => {
    const value = checks.find((one) => one.check === check)?.value;
    return value === undefined ? undefined : Number(value);
  };
  const isInteger = checks.some(({ format }) => format === 'safeint');
  return {
    kind: isInteger ? 'integer' : 'decimal',
    min: limit('greater_than') ?? -Number.MAX_SAFE_INTEGER,
    max: limit('less_than') ?? Number.MAX_SAFE_INTEGER,
  };
}
