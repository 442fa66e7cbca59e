import type { Backend, Player } from '../../graph/backend.ts';
import type { Batch } from '../../data/corpus/windows.ts';
import { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { keep } from '../../ops/keep.ts';
import { linear } from '../../ops/linear.ts';
import { type Product, transformerLogits, wholeSequences } from './forward.ts';
import type { Ranges } from './spiking-products.ts';
import type { FrozenTransformer } from './distillation.ts';

/** Shares of the largest magnitude that are tried as a feature's range. */
const SHARES = [1, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2];
/** The range of a feature that was zero on all of the text: any will do. */
const SILENT_RANGE = 1;

/** The inputs of one product in a play. */
interface Site {
  readonly name: string;
  /** `[1, rows, inputs]` */
  readonly input: Tensor;
}

/**
 * The range of every input of every product for each number of time steps, from what a model computes on
 * some text: of a feature's largest magnitude the share whose rates are nearest to the numbers, in the mean
 * square (after Li et al. 2021). What is larger is cut off, so that all others have finer steps.
 */
export async function calibrate(
  backend: Backend,
  model: FrozenTransformer,
  batches: readonly Batch[],
  timeSteps: readonly number[],
): Promise<ReadonlyMap<number, Ranges>> {
  const [first] = batches;
  const rows = first?.ids.length ?? 0;
  const traced = traceSites(model, rows);
  const player = await backend.load(model.layout, [traced.program]);
  player.write(model.layout.values, model.values);
  const largest = new Map<string, Float32Array>();
  await eachInput(player, traced, batches, ({ name }, values) => {
    const inputs = values.length / rows;
    const most = largest.get(name) ?? new Float32Array(inputs);
    largest.set(name, most);
    for (const [i, value] of values.entries()) {
      const feature = i % inputs;
      most[feature] = Math.max(most[feature] ?? 0, Math.abs(value));
    }
  });
  const trials = timeSteps.map((steps) => ({ steps, errors: new Map<string, Float64Array[]>() }));
  await eachInput(player, traced, batches, ({ name }, values) => {
    const most = largest.get(name) ?? new Float32Array(0);
    for (const { steps, errors } of trials) {
      const ofSite = errors.get(name) ?? SHARES.map(() => new Float64Array(most.length));
      errors.set(name, ofSite);
      for (const [s, share] of SHARES.entries()) {
        addErrors(ofSite[s] ?? new Float64Array(0), values, { most, share, steps });
      }
    }
  });
  player.close();
  return new Map(trials.map(({ steps, errors }) => [steps, rangesOf(largest, errors)]));
}

/** The float forward pass with the inputs of its products kept. */
function traceSites({ structure, layout }: FrozenTransformer, rows: number) {
  const graph = new Graph('calibrate', layout);
  const ids = graph.local('ids', 'u32', [rows]);
  const sites: Site[] = [];
  const multiply: Product = (input, name, options) => {
    sites.push({ name, input: keep(graph, `input of ${name}`, input) });
    return linear(graph, input, graph.parameter(name), options);
  };
  const mixing = wholeSequences(graph, structure);
  transformerLogits({ graph, structure, mixing, multiply }, ids);
  return { program: graph.build(), ids, sites };
}

async function eachInput(
  player: Player,
  { program, ids, sites }: ReturnType<typeof traceSites>,
  batches: readonly Batch[],
  visit: (site: Site, values: Float32Array) => void,
): Promise<void> {
  for (const batch of batches) {
    player.write(ids, batch.ids);
    player.play(program);
    // Numbers are always read as f32.
    for (const site of sites) visit(site, (await player.read(site.input)) as Float32Array);
  }
}

/** Adds to each feature's error what `rateCode` would lose of each value. */
function addErrors(
  errors: Float64Array,
  values: Float32Array,
  { most, share, steps }: { most: Float32Array; share: number; steps: number },
): void {
  for (const [i, value] of values.entries()) {
    const feature = i % most.length;
    const range = share * (most[feature] ?? 0);
    const size = Math.abs(value);
    const spikes = Math.min(steps, Math.floor((steps * size) / range + 0.5));
    const lost = range > 0 ? size - (spikes * range) / steps : 0;
    errors[feature] = (errors[feature] ?? 0) + lost ** 2;
  }
}

function rangesOf(
  largest: ReadonlyMap<string, Float32Array>,
  errors: ReadonlyMap<string, readonly Float64Array[]>,
): Ranges {
  const entries = Array.from(largest, ([name, most]) => {
    const ofSite = errors.get(name) ?? [];
    const ranges = most.map((size, feature) => {
      const ofFeature = ofSite.map((error) => error[feature] ?? 0);
      const best = ofFeature.indexOf(Math.min(...ofFeature));
      return (SHARES[best] ?? 1) * size || SILENT_RANGE;
    });
    return [name, ranges] as const;
  });
  return new Map(entries);
}
