import { decodeBlocks, encodeBlocks } from '../checkpoint/parameters-file.ts';
import { decodeSafetensors } from '../checkpoint/safetensors.ts';
import { parseJson } from '../data/files/json.ts';
import { EngineError } from '../errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';

const FORMAT = 'spikegrid.training';
const VERSION = '1';

/** Where a run stands: what it goes on from, bit by bit. */
interface TrainingState {
  /** Steps done, in all epochs. */
  readonly step: number;
  /** The epoch that it stands in, from 0 on, and steps done of it. */
  readonly epoch: number;
  readonly stepOfEpoch: number;
  readonly seed: number;
  readonly batchSize: number;
  /** Name of the optimizer, whose moments these are. */
  readonly optimizer: string;
  /** Blocks of the layout. */
  readonly values: Float32Array;
  readonly momentum: Float32Array;
  readonly variance: Float32Array;
}

/** A run's state as one safetensors file. */
export function encodeTraining(
  layout: ParameterLayout,
  state: TrainingState,
): Uint8Array<ArrayBuffer> {
  const { values, momentum, variance, ...run } = state;
  const metadata = { format: FORMAT, version: VERSION, run: JSON.stringify(run) };
  return encodeBlocks(
    layout,
    { '': values, 'momentum.': momentum, 'variance.': variance },
    metadata,
  );
}

/** Reads what `encodeTraining` wrote. Throws EngineError `checkpoint-mismatch` or `checkpoint-damaged`. */
export function decodeTraining(layout: ParameterLayout, bytes: Uint8Array): TrainingState {
  const name = 'resume';
  const { metadata } = decodeSafetensors(bytes, name);
  if (metadata['format'] !== FORMAT || metadata['version'] !== VERSION) {
    throw new EngineError(
      'checkpoint-mismatch',
      `resume is a file of ${metadata['format'] ?? 'no format'}: expected ${FORMAT} ${VERSION}, as history.save() writes`,
    );
  }
  const run = runOf(metadata['run'] ?? '');
  const prefixes = ['', 'momentum.', 'variance.'] as const;
  const { blocks } = decodeBlocks(layout, { name, bytes }, prefixes);
  const moments = { momentum: blocks['momentum.'], variance: blocks['variance.'] };
  return { ...run, values: blocks[''], ...moments };
}

type Run = Omit<TrainingState, 'values' | 'momentum' | 'variance'>;

const COUNTS = ['step', 'epoch', 'stepOfEpoch', 'seed', 'batchSize'] as const;

function runOf(json: string): Run {
  let run: unknown;
  try {
    run = parseJson(json);
  } catch (error) {
    throw damaged(json, error);
  }
  const found = (run ?? {}) as Partial<Record<keyof Run, unknown>>;
  const { optimizer } = found;
  const counts = COUNTS.map((name) => [name, found[name]] as const);
  const areCounts = counts.every(([, value]) => Number.isSafeInteger(value) && Number(value) >= 0);
  if (areCounts && typeof optimizer === 'string') {
    return { optimizer, ...(Object.fromEntries(counts) as Omit<Run, 'optimizer'>) };
  }
  throw damaged(json);
}

function damaged(json: string, cause?: unknown): EngineError {
  return new EngineError('checkpoint-damaged', `resume: its run is ${json.slice(0, 200)}`, {
    cause,
  });
}
