import type { Backend, Player } from '../graph/backend.ts';
import type { NeuronModel } from '../kernels/neuron-model.ts';
import { wordsPerRow } from '../graph/tensor.ts';
import { neuronCatalogue } from '../neurons/catalogue.ts';
import { buildNetwork } from '../simulator/network.ts';
import { parseDescription } from '../simulator/parse-description.ts';
import { planSimulation, requireMemory } from '../simulator/plan.ts';
import { type TracedNetwork, traceNetwork } from '../simulator/trace.ts';
import { noParameters } from '../simulator/tracing.ts';
import { checkCurrent, checkLayer, type NeuronLayer } from './neuron-plugin.ts';
import type { PluginArray } from './ports.ts';
import { unpackRow } from './spike-arrays.ts';
import { createPromiseQueue } from '../promise-queue.ts';

interface PopulationLayerOptions {
  readonly model: NeuronModel;
  readonly numNeurons: number;
  readonly tau: number;
  readonly threshold: number;
  /** By the names of the model; initial by default. */
  readonly parameters: Readonly<Record<string, number>>;
}

/** Steps between two readings of spikes. */
const CHUNK = 256;
const NAME = 'layer';

/**
 * A layer that is one population of the simulator: steps of 1 ms on a device, which is handed the current
 * of each and read every 256.
 *
 * @throws EngineError invalid-setting for numbers that the model does not take, out-of-memory, and
 *   shader-invalid naming the line of the model's WGSL
 */
export async function createPopulationLayer(
  backend: Backend,
  { model, numNeurons, tau, threshold, parameters }: PopulationLayerOptions,
): Promise<NeuronLayer> {
  checkLayer(numNeurons, tau, threshold);
  const isOurs = Object.values<NeuronModel>(neuronCatalogue).includes(model);
  const models = isOurs ? [] : [model];
  const population = { name: NAME, count: numNeurons, model: model.name, parameters };
  const recorder = { of: NAME, kind: 'spikes' };
  const description = parseDescription(
    { seed: 0, dt: 1, populations: [population], recorders: [recorder] },
    models,
  );
  requireMemory(planSimulation(description, { models, recordedSteps: CHUNK }), backend.device);
  const traced = traceNetwork(buildNetwork(description, { models }), CHUNK);
  const player = await backend.load(noParameters, [traced.program]);
  const steps = createSteps(player, traced, numNeurons);
  await steps.reset();
  // Runs are queued: each continues from the last one.
  const enqueue = createPromiseQueue();
  return {
    numNeurons,
    tau,
    threshold,
    async run(current) {
      checkCurrent(current, numNeurons);
      return enqueue(() => steps.run(current));
    },
    reset: () => enqueue(() => steps.reset()),
    close: () => enqueue(async () => player.close()),
  };
}

function createSteps(player: Player, traced: TracedNetwork, width: number) {
  const { program, tensors, first } = traced;
  const drive = tensors.get(`${NAME}.drive`);
  const history = traced.histories[0]?.tensor;
  if (!drive || !history) throw new TypeError('the layer was traced without its tensors');
  const words = wordsPerRow(width);
  let done = 0;
  return {
    async run({ shape, data }: PluginArray): Promise<PluginArray> {
      const steps = shape[0] ?? 0;
      const spikes = new Float32Array(steps * width);
      for (let from = 0; from < steps; from += CHUNK) {
        const count = Math.min(CHUNK, steps - from);
        for (let step = from; step < from + count; step++) {
          player.write(drive, data.slice(step * width, (step + 1) * width));
          player.play(program);
        }
        const bits = await player.read(history);
        for (let step = 0; step < count; step++) {
          const line = ((done + step) % CHUNK) * words;
          const at = (from + step) * width;
          unpackRow(bits, line, spikes.subarray(at, at + width));
        }
        done += count;
      }
      return { shape: [steps, width], data: spikes };
    },
    async reset(): Promise<void> {
      for (const { tensor, data } of first) player.write(tensor, data);
      player.write(drive, new Float32Array(width));
      done = 0;
      await player.settled();
    },
  };
}
