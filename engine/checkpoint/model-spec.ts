import * as z from 'zod/mini';
import { EngineError } from '../errors.ts';
import { ARCHITECTURES, type Architecture } from '../families/architectures.ts';
import { storedFamilies } from '../families/stored-families.ts';
import type { KeptSpec, StoredFamily } from '../families/stored-family.ts';
import type { ParameterSpec } from '../graph/parameters.ts';
import type { TrainingExecution } from './training-state.ts';

/** What identifies a model's shape and dynamics: enough to build it for inference. */
export type ModelSpec = {
  [A in Architecture]: z.output<(typeof storedFamilies)[A]['spec']>;
}[Architecture];

/** A model_spec of one family. */
export type SpecOf<A extends Architecture> = Extract<ModelSpec, { readonly architecture: A }>;

/** What the spec of a model says about its files. */
export interface StoredForm {
  readonly parameters: readonly ParameterSpec[];
  readonly kept: readonly KeptSpec[];
}

/** Throws EngineError `invalid-structure`. */
export function storedFormOf(spec: ModelSpec): StoredForm {
  const family = familyOf(spec);
  return { parameters: family.parameters(spec), kept: family.kept?.(spec) ?? [] };
}

/** What a run keeps beside the moments. */
export function keptForTrainingOf(
  spec: ModelSpec,
  execution: TrainingExecution,
): readonly KeptSpec[] {
  return familyOf(spec).keptForTraining?.(spec, execution) ?? [];
}

function familyOf({ architecture }: ModelSpec): StoredFamily<z.ZodMiniType<ModelSpec>> {
  // The table is indexed by what the spec itself says: each family gets its own spec.
  return storedFamilies[architecture] as unknown as StoredFamily<z.ZodMiniType<ModelSpec>>;
}

/**
 * Reads model_spec.json. Throws EngineError `checkpoint-mismatch` for a model of an architecture that
 * is not known, naming it, and `checkpoint-damaged` for what is no model_spec at all.
 */
export function parseModelSpec(value: unknown): ModelSpec {
  const named = parseFile('model_spec.json', z.object({ architecture: z.string() }), value);
  const architecture = ARCHITECTURES.find((one) => one === named.architecture);
  if (architecture) return parseFile('model_spec.json', storedFamilies[architecture].spec, value);
  throw new EngineError(
    'checkpoint-mismatch',
    `the model has the architecture ${named.architecture}: expected ${ARCHITECTURES.join(', ')}`,
  );
}

/**
 * A model as one of a family. Throws EngineError `checkpoint-mismatch` for a model of another one: each
 * family has parameters of its own, none of which means anything to another.
 */
export function requireArchitecture<A extends Architecture>(
  { architecture, model_family }: ModelSpec,
  expected: A,
): void {
  if (architecture === expected) return;
  throw new EngineError(
    'checkpoint-mismatch',
    `the checkpoint holds a ${architecture} model (${model_family}), not a ${expected} one: ` +
      `families do not share parameters, so expected a checkpoint of ${expected}`,
  );
}

/** Checks the parsed JSON of a checkpoint file. Throws EngineError `checkpoint-damaged` naming the field. */
export function parseFile<S extends z.ZodMiniType>(
  file: string,
  schema: S,
  value: unknown,
): z.output<S> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') || 'the whole';
  throw new EngineError('checkpoint-damaged', `${file}: ${where}: ${issue?.message ?? 'invalid'}`);
}
