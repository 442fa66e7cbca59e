import type { ProblemDocument } from '../../edge/contract/problem.ts';
import type { EngineErrorCode } from '../../engine/index.ts';

/** An error of the worker as a value that can be posted: errors lose their class in transit. */
export type Failure =
  | { readonly kind: 'engine'; readonly code: EngineErrorCode; readonly message: string }
  /** A refusal of the registry. */
  | { readonly kind: 'problem'; readonly problem: ProblemDocument }
  /** No answer at all. */
  | { readonly kind: 'network'; readonly message: string }
  | { readonly kind: 'unexpected'; readonly message: string };

/** A result where refusal is a normal answer. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };
