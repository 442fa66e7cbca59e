import { EngineError } from '../errors.ts';
import type { Data } from '../layers/batch-source.ts';
import type { FitOptions } from '../layers/fit-options.ts';
import { init, type Model } from '../layers/model.ts';
import { networkFrom } from '../layers/network-json.ts';
import type { Network, NetworkJson } from '../layers/network.ts';
import { optimizerOf } from '../layers/fit-recipe.ts';
import type { Optimizer } from '../optimizers/optimizer.ts';
import { diagnose } from './diagnose-model.ts';
import type { Change, Finding, Remedy } from './findings.ts';
import { layerRecords } from './membranes.ts';
import { scaleInputs } from './scale-inputs.ts';

/** A training that is begun anew with a remedy. */
export interface Remedied {
  /** A model of its own, on the device of its parent. */
  readonly model: Model;
  readonly data: Data;
  readonly options: FitOptions;
  /** All that it does otherwise than its parent. */
  readonly changes: readonly Change[];
}

/** Layers that one remedy sets, at most: spikes of a layer are only seen once those in front of it fire. */
const MAX_ROUNDS = 8;
/** Causes that hide what is the matter with the layers behind. */
const LAYER_BY_LAYER: ReadonlySet<unknown> = new Set([
  'silent',
  'saturated',
  'surrogate-out-of-reach',
]);

/**
 * Makes a new model, data and options by the remedy of a finding, for another `fit`; the model that was diagnosed, its
 * data and its options stay as they are. Where a layer is mended, those behind it are looked at in turn, and of new
 * weights thresholds and widths are measured again: `changes` says what came of it. Throws EngineError `invalid-setting`
 * for a finding without a remedy.
 */
export async function applyRemedy(
  { model, data, options }: Pick<Remedied, 'model' | 'data' | 'options'>,
  finding: Finding,
): Promise<Remedied> {
  const parent = { model, data, options, changes: [] };
  const remedy = remedyOf(finding);
  if (!isByLayer(finding)) return applyOnce(parent, remedy);
  const isNew = remedy.from === 'new-weights';
  let mended = await applyOnce(parent, isNew ? { ...remedy, changes: [] } : remedy);
  let last = isNew ? undefined : finding;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { findings } = await diagnose(mended.model, mended.data, mended.options);
    const next = findings.find(isByLayer);
    // A remedy that left it as it was would leave it so again.
    if (!next || (next.cause === last?.cause && next.layer === last.layer)) break;
    mended = await applyOnce(mended, { ...remedyOf(next), from: 'checkpoint' });
    last = next;
  }
  return mended;
}

function remedyOf({ cause, remedy }: Finding): Remedy {
  if (remedy) return remedy;
  throw new EngineError(
    'invalid-setting',
    `applyRemedy: the finding is ${cause}, which no setting mends: expected one with a remedy`,
  );
}

const isByLayer = ({ cause, remedy }: Finding): boolean =>
  remedy !== undefined && LAYER_BY_LAYER.has(cause);

async function applyOnce(parent: Remedied, remedy: Remedy): Promise<Remedied> {
  const { model, data, options, changes } = parent;
  const network = changedNetwork(model.network, remedy.changes);
  const fresh = await init(network, { device: model.backend, seed: options.seed ?? 0 });
  if (remedy.from === 'checkpoint') fresh.values.set(model.values);
  for (const { setting, layer, to } of remedy.changes) {
    if (setting !== 'gain') continue;
    for (const { spec } of network.layout.parameters) {
      const own = spec.name.startsWith(`${layer}.`) && fresh.parameter(spec.name);
      if (own) own.set(own.map((value) => value * to));
    }
  }
  const { resume: _, ...others } = options;
  const { optimizer, ...schedule } = optimizerOf(options);
  const scaled = (given: Data) => scaleInputs(given, remedy.changes);
  return {
    model: fresh,
    data: scaled(data),
    options: {
      ...others,
      ...schedule,
      optimizer: changedOptimizer(optimizer, remedy.changes),
      ...(options.validation && { validation: scaled(options.validation) }),
    },
    changes: [...changes, ...remedy.changes],
  };
}

function changedOptimizer(optimizer: Optimizer, changes: readonly Change[]): Optimizer {
  const to = (wanted: Change['setting']) => changes.find(({ setting }) => setting === wanted)?.to;
  const [learningRate, clipNorm] = [to('learning-rate'), to('clip-norm')];
  return {
    ...optimizer,
    ...(learningRate !== undefined && { learningRate }),
    ...(clipNorm !== undefined && { clipNorm }),
  };
}

const OPTION_NAMES: Partial<Record<Change['setting'], string>> = {
  threshold: 'threshold',
  'surrogate-width': 'surrogateWidth',
};

/** The network with other thresholds or widths; itself where none changes. */
function changedNetwork(network: Network, changes: readonly Change[]): Network {
  const own = changes.filter(({ setting }) => OPTION_NAMES[setting] !== undefined);
  if (own.length === 0) return network;
  const json: NetworkJson = structuredClone(network.toJSON());
  const records = layerRecords(json.layers);
  for (const { setting, layer = '', to } of own) {
    Object.assign(records.get(layer) ?? {}, { [OPTION_NAMES[setting] ?? '']: to });
  }
  return networkFrom(json);
}
