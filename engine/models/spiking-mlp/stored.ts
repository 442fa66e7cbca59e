import * as z from 'zod/mini';
import { decodeBlocks, encodeBlocks } from '../../checkpoint/parameters-file.ts';
import { decodeSafetensors } from '../../checkpoint/safetensors.ts';
import { parseJson } from '../../data/files/json.ts';
import { EngineError } from '../../errors.ts';
import { layOutParameters, type ParameterLayout } from '../../graph/parameters.ts';
import { checkStructure, spikingMlpParameters, type SpikingMlpStructure } from './structure.ts';

const ARCHITECTURE = 'spiking_mlp';

const Structure = z.strictObject({
  inputs: z.number(),
  hidden: z.number(),
  classes: z.number(),
  steps: z.number(),
  beta: z.number(),
  threshold: z.number(),
  surrogate: z.enum(['atan', 'fast_sigmoid', 'sigmoid', 'triangle']),
});

/** A spiking classifier as it is used. */
export interface StoredSpikingMlp {
  readonly structure: SpikingMlpStructure;
  readonly layout: ParameterLayout;
  /** The parameter block. */
  readonly values: Float32Array;
}

/** Writes a classifier as one safetensors file, its structure in the metadata. */
export function encodeSpikingMlp({ structure, layout, values }: StoredSpikingMlp): Uint8Array {
  const metadata = { architecture: ARCHITECTURE, structure: JSON.stringify(structure) };
  return encodeBlocks(layout, { '': values }, metadata);
}

/**
 * Reads what `encodeSpikingMlp` wrote. Throws EngineError `checkpoint-mismatch` for a model of another
 * architecture, `checkpoint-damaged` and `invalid-structure` for what cannot be one.
 */
export function decodeSpikingMlp(file: string, bytes: Uint8Array): StoredSpikingMlp {
  const { metadata } = decodeSafetensors(bytes, file);
  if (metadata['architecture'] !== ARCHITECTURE) {
    throw new EngineError(
      'checkpoint-mismatch',
      `${file} has the architecture ${metadata['architecture'] ?? 'of no name'}: expected ${ARCHITECTURE}`,
    );
  }
  const structure = parseStructure(file, metadata['structure'] ?? '');
  checkStructure(structure);
  const layout = layOutParameters(spikingMlpParameters(structure));
  return {
    structure,
    layout,
    values: decodeBlocks(layout, { name: file, bytes }, ['']).blocks[''],
  };
}

function parseStructure(file: string, json: string): SpikingMlpStructure {
  let value: unknown;
  try {
    value = parseJson(json);
  } catch (error) {
    throw new EngineError('checkpoint-damaged', `${file}: the structure is not JSON`, {
      cause: error,
    });
  }
  const result = z.safeParse(Structure, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new EngineError(
    'checkpoint-damaged',
    `${file}: structure ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`,
  );
}
