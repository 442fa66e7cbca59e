import type { Expression } from '../../../kernel-language/expression.ts';
import type { Analysis } from '../../../kernel-language/levels.ts';
import type { AddressEmitter } from './addresses.ts';
import type { FunctionCode } from './function-code.ts';

/** A condition that is known of a vector. */
export interface Assumed {
  readonly condition: Expression;
  readonly isTrue: boolean;
}

/** Pushes values onto the stack of a function; `ValueEmitter` with what loads and conversions need of it. */
export interface Emitter {
  readonly code: FunctionCode;
  readonly analysis: Analysis;
  readonly addresses: AddressEmitter;
  readonly isRelaxed: boolean;
  /** A condition that is known of the vector in work. */
  readonly assumed: Assumed | undefined;
  /** Whether a whole number is computed for all lanes at once. */
  isScalar(node: Expression): boolean;
  pushScalar(node: Expression): void;
  pushVector(node: Expression): void;
  pushMask(node: Expression): void;
  pushCondition(node: Expression): void;
  apart(emit: () => void): void;
}
