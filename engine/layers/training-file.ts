import type { AverageState } from '../checkpoint/checkpoint.ts';
import { decodeBlocks, encodeBlocks } from '../checkpoint/parameters-file.ts';
import { decodeSafetensors } from '../checkpoint/safetensors.ts';
import { parseJson } from '../data/files/json.ts';
import { EngineError } from '../errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';

const FORMAT = 'spikegrid.training';
const VERSION = '1';

/** The best validation so far. */
export interface BestEpoch {
  /** From 1 on. */
  readonly epoch: number;
  /** Higher is better. */
  readonly score: number;
  readonly by: 'loss' | 'accuracy';
  /** Parameters of that epoch, where they are kept. */
  readonly values?: Float32Array | undefined;
}

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
  /** As `averagingText` has it. */
  readonly averaging: string;
  readonly best?: BestEpoch | undefined;
  readonly average?: AverageState | undefined;
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
  const { values, momentum, variance, best, average, ...rest } = state;
  const { values: bestValues, ...judged } = best ?? {};
  const run = {
    ...rest,
    ...(best && { best: { ...judged, isKept: bestValues !== undefined } }),
    ...(average && { taken: average.taken }),
  };
  const blocks = {
    '': values,
    'momentum.': momentum,
    'variance.': variance,
    ...(bestValues && { 'best.': bestValues }),
    ...(average && { 'average.': average.values }),
  };
  const metadata = { format: FORMAT, version: VERSION, run: JSON.stringify(run) };
  return encodeBlocks(layout, blocks, metadata);
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
  const { best, taken, ...run } = runOf(metadata['run'] ?? '');
  const { blocks } = decodeBlocks(layout, { name, bytes }, prefixesOf({ best, taken }));
  const { isKept = false, ...judged } = best ?? {};
  return {
    ...run,
    values: blocks[''],
    momentum: blocks['momentum.'],
    variance: blocks['variance.'],
    // Where there is a best epoch it has all that one has.
    best: best && ({ ...judged, values: isKept ? blocks['best.'] : undefined } as BestEpoch),
    average: taken === undefined ? undefined : { values: blocks['average.'], taken },
  };
}

/** In front of the names of the parameters of each block that a run has. */
function prefixesOf({ best, taken }: Pick<Run, 'best' | 'taken'>) {
  return [
    ...(['', 'momentum.', 'variance.'] as const),
    ...(best?.isKept ? (['best.'] as const) : []),
    ...(taken === undefined ? [] : (['average.'] as const)),
  ];
}

interface Run extends Omit<TrainingState, 'values' | 'momentum' | 'variance' | 'best' | 'average'> {
  readonly best: (Omit<BestEpoch, 'values'> & { readonly isKept: boolean }) | undefined;
  readonly taken: number | undefined;
}

const COUNTS = ['step', 'epoch', 'stepOfEpoch', 'seed', 'batchSize'] as const;

function runOf(json: string): Run {
  let run: unknown;
  try {
    run = parseJson(json);
  } catch (error) {
    throw damaged(json, error);
  }
  if (!isRun(run)) throw damaged(json);
  const { best, taken, averaging = 'none' } = run;
  return { ...run, best, taken, averaging };
}

/** Runs from before there were averages have none. */
function isRun(value: unknown): value is Omit<Run, 'averaging'> & Partial<Pick<Run, 'averaging'>> {
  if (typeof value !== 'object' || value === null) return false;
  const found = value as Partial<Record<keyof Run, unknown>>;
  const isMissingOr = (name: keyof Run, isFit: (one: unknown) => boolean) =>
    found[name] === undefined || isFit(found[name]);
  return (
    COUNTS.every((name) => isCount(found[name])) &&
    typeof found.optimizer === 'string' &&
    isMissingOr('averaging', (text) => typeof text === 'string') &&
    isMissingOr('best', isBest) &&
    isMissingOr('taken', isCount)
  );
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

function isBest(value: unknown): boolean {
  const { epoch, score, by, isKept } = (value ?? {}) as Partial<Record<string, unknown>>;
  const isJudged = by === 'loss' || by === 'accuracy';
  return isCount(epoch) && Number.isFinite(score) && isJudged && typeof isKept === 'boolean';
}

function damaged(json: string, cause?: unknown): EngineError {
  return new EngineError('checkpoint-damaged', `resume: its run is ${json.slice(0, 200)}`, {
    cause,
  });
}
