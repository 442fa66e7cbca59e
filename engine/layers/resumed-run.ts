import { EngineError } from '../errors.ts';
import type { AverageState } from '../checkpoint/checkpoint.ts';
import { type Averaging, averagingText } from './fit-average.ts';
import type { checkFit } from './fit-options.ts';
import type { Model } from './model.ts';
import { type BestEpoch, decodeTraining } from './training-file.ts';

type Checked = ReturnType<typeof checkFit>;

/** Where a run begins. */
export interface Resumed {
  readonly step: number;
  readonly epoch: number;
  readonly stepOfEpoch: number;
  readonly values: Float32Array;
  /** Absent in a run that begins. */
  readonly momentum?: Float32Array;
  readonly variance?: Float32Array;
  readonly best?: BestEpoch | undefined;
  readonly average?: AverageState | undefined;
}

/** Throws EngineError `checkpoint-mismatch` for a run of other options, `checkpoint-damaged` for no run at all. */
export function resumedState({ network, values }: Model, options: Checked): Resumed {
  if (!options.resume) return { step: 0, epoch: 0, stepOfEpoch: 0, values };
  const state = decodeTraining(network.layout, options.resume);
  const { seed, batchSize, optimizer, averaging, best, ...resumed } = state;
  const asked = askedOf(options);
  for (const [name, stored] of Object.entries({ seed, batchSize, optimizer, average: averaging })) {
    const value = asked[name as keyof typeof asked];
    if (stored !== value) throw otherOptions(name, stored, value);
  }
  if (!best || !options.validation) return resumed;
  const by = judgedBy(options);
  if (best.by !== by) throw otherOptions('earlyStopping by', best.by, by);
  if (options.keepBest && !best.values) throw otherOptions('keepBest', false, true);
  return { ...resumed, best };
}

const askedOf = ({
  seed,
  batchSize,
  optimizer,
  average,
}: Checked & { readonly average?: Averaging | undefined }) => ({
  seed,
  batchSize,
  optimizer: optimizer.name,
  average: averagingText(average),
});

/** The figure of the validation that says which epoch is best. */
export const judgedBy = ({ earlyStopping }: Pick<Checked, 'earlyStopping'>): 'loss' | 'accuracy' =>
  earlyStopping?.by ?? 'loss';

function otherOptions(name: string, stored: unknown, value: unknown): EngineError {
  return new EngineError(
    'checkpoint-mismatch',
    `fit: what it resumes was trained with ${name} ${String(stored)}, the options have ${String(value)}`,
  );
}
