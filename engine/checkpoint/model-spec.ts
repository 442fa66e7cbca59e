import * as z from 'zod/mini';
import { EngineError } from '../errors.ts';
import type { ChronospikeStructure } from '../models/dense-chronospike/structure.ts';
import { TokenizerSpec } from './tokenizer-spec.ts';

const count = z.int().check(z.positive());

/** What identifies a model's shape and dynamics: enough to build it for inference. */
export const ModelSpec = z.object({
  model_spec_version: z.literal(1),
  model_family: z.literal('SpikingEvoTextLM'),
  architecture: z.literal('dense_chronospike'),
  d_model: count,
  n_heads: count,
  num_blocks: count,
  time_steps: count,
  neuron_type: z.literal('LIF'),
  vocab_size: count,
  tokenizer: TokenizerSpec,
  core: z.object({
    beta: z.number(),
    threshold: z.number(),
    surrogate: z.enum(['atan', 'fast_sigmoid', 'sigmoid', 'triangle']),
    tau: z.array(z.number()),
    seq_len: count,
    /** Weights are stored [inputs, outputs]. */
    linear_layout: z.literal('in_out'),
  }),
});
export type ModelSpec = z.infer<typeof ModelSpec>;

/** Describes a model for its files. `sequence` is the length it was trained on. */
export function modelSpecOf(
  structure: ChronospikeStructure,
  sequence: number,
  tokenizer: TokenizerSpec,
): ModelSpec {
  const { beta, threshold, surrogate, tau } = structure;
  return {
    model_spec_version: 1,
    model_family: 'SpikingEvoTextLM',
    architecture: 'dense_chronospike',
    d_model: structure.width,
    n_heads: structure.heads,
    num_blocks: structure.blocks,
    time_steps: structure.steps,
    neuron_type: 'LIF',
    vocab_size: structure.vocabulary,
    tokenizer,
    core: { beta, threshold, surrogate, tau: [...tau], seq_len: sequence, linear_layout: 'in_out' },
  };
}

export function structureFromSpec(spec: ModelSpec): ChronospikeStructure {
  const { beta, threshold, surrogate, tau } = spec.core;
  return {
    vocabulary: spec.vocab_size,
    width: spec.d_model,
    heads: spec.n_heads,
    blocks: spec.num_blocks,
    steps: spec.time_steps,
    tau,
    beta,
    threshold,
    surrogate,
  };
}

/**
 * Reads model_spec.json. Throws EngineError `checkpoint-mismatch` for a model of another
 * architecture, naming it, and `checkpoint-damaged` for what is no model_spec at all.
 */
export function parseModelSpec(value: unknown): ModelSpec {
  const architecture = z.safeParse(z.object({ architecture: z.string() }), value);
  if (architecture.success && architecture.data.architecture !== 'dense_chronospike') {
    throw new EngineError(
      'checkpoint-mismatch',
      `the model has the architecture ${architecture.data.architecture}: expected dense_chronospike`,
    );
  }
  return parseFile('model_spec.json', ModelSpec, value);
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
