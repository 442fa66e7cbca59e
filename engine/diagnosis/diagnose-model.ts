import { EngineError } from '../errors.ts';
import { optimizerOf } from '../layers/fit-recipe.ts';
import type { BatchArrays, BatchSource, Data } from '../layers/batch-source.ts';
import { openBatches } from '../layers/batches.ts';
import { evaluate } from '../layers/evaluate.ts';
import { checkFit, type FitOptions } from '../layers/fit-options.ts';
import type { History } from '../layers/fit.ts';
import type { Model } from '../layers/model.ts';
import { diagnoseObservations } from './diagnose.ts';
import type { Finding } from './findings.ts';
import { firstBatches, labelledRows, readInputs } from './first-examples.ts';
import { agreementOfNeighbours } from './neighbours.ts';
import { observeBatch } from './observe-network.ts';
import type { LabelReading, Observations, TrainingReading } from './observations.ts';
import { sentenceOf } from './sentences.ts';

/** Findings about a model, and what they rest on. */
export interface Diagnosis {
  /** The cause to mend first is the first; none where nothing is wrong that is known. */
  readonly findings: readonly (Finding & { readonly sentence: string })[];
  readonly observations: Observations;
}

/** Results of `fit` that are read here. */
type Trained = Pick<History, 'losses' | 'norms'>;

/**
 * Names why a model does not learn: inputs of another scale, layers that never fire or always do, surrogates that reach
 * no membrane, gradients that explode over time, a learning rate too high or too low, labels of other examples.
 *
 * `options` are those of its `fit`, and `trained` what that returned, or the error that it threw: without it nothing is
 * said of rates. Give them `validation`: without it, labels learned by heart pass for learned. It plays one batch forward
 * and back, and overwrites nothing. Throws EngineError as `fit` for what does not fit the network.
 */
export async function diagnose(
  model: Model,
  data: Data,
  options: FitOptions,
  trained?: Trained | EngineError,
): Promise<Diagnosis> {
  const { loss, seed } = checkFit(options);
  const { network } = model;
  const source = await openBatches(data, { network, kind: loss.target, seed });
  const batches = await firstBatches(source, network, loss);
  const [batch] = batches;
  if (!batch) throw new EngineError('dataset-invalid', 'diagnose: the data has no example');
  const observations: Observations = {
    ...(await observeBatch(model, loss, { source, batch })),
    inputs: source.dtype === 'f32' ? readInputs(batches) : undefined,
    training: trained && readTraining(options, trained),
    labels: await readLabels(model, { data, options, source, batches }),
  };
  const findings = diagnoseObservations(observations);
  return { findings: findings.map((one) => ({ ...one, sentence: sentenceOf(one) })), observations };
}

/** A training that ended in an error has come to a loss that is no number. */
function readTraining(
  options: FitOptions,
  trained: Trained | EngineError,
): TrainingReading | undefined {
  const { losses, norms } =
    trained instanceof EngineError ? { losses: [Number.NaN], norms: [] } : trained;
  const { learningRate, name } = optimizerOf(options).optimizer;
  return { losses, norms, learningRate, isAdaptive: name !== 'sgd' };
}

interface Labelled {
  readonly data: Data;
  readonly options: FitOptions;
  readonly source: BatchSource;
  readonly batches: readonly BatchArrays[];
}

/** Undefined where the loss takes no classes. */
async function readLabels(
  model: Model,
  { data, options, source, batches }: Labelled,
): Promise<LabelReading | undefined> {
  const { loss, validation = data, on } = options;
  if (loss.target !== 'classes') return undefined;
  const { accuracy = 0 } = await evaluate(model, validation, { loss, ...(on && { on }) });
  return agreementOfNeighbours(labelledRows(batches, source, model.network), accuracy);
}
