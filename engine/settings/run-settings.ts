import { EngineError } from '../errors.ts';
import type { Fields, FieldValue } from './fields.ts';

/** A value that a request left out, and why it is what it is. */
export interface Choice {
  readonly value: FieldValue;
  readonly reason: string;
}
export type Choices = Readonly<Record<string, Choice>>;

/** How long to train. */
export type Budget =
  | { readonly kind: 'steps'; readonly steps: number }
  | { readonly kind: 'epochs'; readonly epochs: number }
  | { readonly kind: 'minutes'; readonly minutes: number };

/** Settings of a training run of any family. */
export interface RunSettings<Architecture extends string = string> {
  readonly architecture: Architecture;
  /** The family's own fields by their names on the wire; those left out have their first values. */
  readonly fields: Fields;
  /** batch_size: sequences, images or clips of a step */
  readonly batch: number;
  readonly learningRate: number;
  readonly seed: number;
  readonly budget: Budget;
  /** Those of the values above that nobody gave, by their names on the wire, each with its reason. */
  readonly chosen?: Choices;
}

/** Checks what every family has. Throws EngineError `invalid-setting` naming the value and what was expected. */
export function checkRun(settings: Omit<RunSettings, 'architecture' | 'fields' | 'chosen'>): void {
  const { batch, learningRate, seed, budget } = settings;
  requireWhole('batch_size', batch, 1);
  requireWhole('seed', seed, 0);
  requirePositive('learning_rate', learningRate);
  if (budget.kind === 'steps') requireWhole('steps', budget.steps, 1);
  if (budget.kind === 'epochs') requirePositive('epochs', budget.epochs);
  if (budget.kind === 'minutes') requirePositive('minutes', budget.minutes);
}

export function requireWhole(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new EngineError(
    'invalid-setting',
    `${name} is ${value}: expected a whole number of at least ${least}`,
  );
}

function requirePositive(name: string, value: number): void {
  if (value > 0 && value < Number.POSITIVE_INFINITY) return;
  throw new EngineError('invalid-setting', `${name} is ${value}: expected a positive number`);
}
