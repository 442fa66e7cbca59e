import {
  type Backend,
  createSimulation,
  plasticityRules,
  type ProjectionSpec,
  projectionName,
  type Simulation,
  type SimulationDescription,
} from '../../../engine/index.ts';
import type { Network } from './simulator-host.ts';
import { plasticProjections, rasterLayout } from '../raster-layout.ts';

/** Steps that recorders hold: one stride of the host at most. */
const RECORDED_STEPS = 256;

/** Opens networks on one device, which is opened with the first of them. */
export function networkOpener(
  openBackend: () => Promise<Backend>,
): (description: SimulationDescription) => Promise<Network> {
  let backend: Promise<Backend> | undefined;
  return async (description) => {
    backend ??= openBackend();
    const device = await backend;
    const layout = rasterLayout(description);
    const simulation = await createSimulation(device, recorded(description), {
      rules: plasticityRules,
      recordedSteps: RECORDED_STEPS,
    });
    const plastic = plasticProjections(description);
    return {
      facts: {
        device: device.device,
        neurons: simulation.plan.neurons,
        synapses: simulation.synapses,
        bytes: simulation.plan.totalBytes,
      },
      layout,
      outDegrees: await outDegreesOf(simulation, description),
      async advance(steps) {
        const { spikes } = await simulation.advance(steps);
        return layout.populations.map(({ name }) => spikes.get(`${name}.spikes`) ?? NO_SPIKES);
      },
      weights: () => Promise.all(plastic.map((projection) => weightsOf(simulation, projection))),
      close: () => simulation.close(),
    };
  };
}

const NO_SPIKES = { step: new Uint32Array(), neuron: new Uint32Array() };

/** The same network with the spikes of every population kept; recorders of its own are not looked at. */
function recorded(description: SimulationDescription): SimulationDescription {
  const recorders = description.populations.map(({ name }) => ({
    kind: 'spikes' as const,
    of: name,
    name: `${name}.spikes`,
  }));
  return { ...description, recorders };
}

async function weightsOf(simulation: Simulation, projection: ProjectionSpec) {
  const weights = await simulation.read(`${projectionName(projection)}.weight`);
  return Float32Array.from(weights);
}

/** Synapses that leave a neuron of each population, on average over its neurons. */
async function outDegreesOf(
  simulation: Simulation,
  { populations, projections = [] }: SimulationDescription,
): Promise<readonly number[]> {
  const degrees = populations.map(() => 0);
  for (const projection of projections) {
    const index = populations.findIndex(({ name }) => name === projection.from);
    const starts = await simulation.read(`${projectionName(projection)}.rowStart`);
    const count = populations[index]?.count ?? 1;
    degrees[index] = (degrees[index] ?? 0) + (starts.at(-1) ?? 0) / count;
  }
  return degrees;
}
