import type { Backend } from '../../engine/graph/backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';
import { EngineError } from '../../engine/errors.ts';
import type { SimulationDescription } from '../../engine/simulator/description.ts';
import { parseDescription } from '../../engine/simulator/parse-description.ts';
import { formatSimulationPlan, planSimulation } from '../../engine/simulator/plan.ts';
import { createSimulation } from '../../engine/simulator/simulation.ts';
import { openNodeGpu } from '../../compute/gpu/node-gpu.ts';
import { note } from './report.ts';

/**
 * Run by hand: `node tests/perf/simulator.ts [brunel | wasm | webgpu]`. 100,000 LIF neurons with 10 million synapses
 * on WASM, and the connectome-scale case planned for WebGPU and run on whatever adapter there is.
 */

/** Neurons without input from each other: what they cost alone is taken off to see what synapses cost. */
function network(neurons: number, inDegree: number, rateHz: number): SimulationDescription {
  return {
    seed: 1,
    dt: 0.1,
    populations: [
      {
        name: 'cells',
        count: neurons,
        model: 'lif_reset',
        // Constant current: each neuron fires at its own rate, whatever arrives, as weights are tiny.
        parameters: { tau: 20, threshold: 1, refractory: 2 },
        initial: { v: phases(neurons, rateHz) },
      },
    ],
    projections: [
      {
        from: 'cells',
        to: 'cells',
        connect: { kind: 'inDegree', k: inDegree },
        weight: { uniform: [0, 1e-6] },
        delay: 1.5,
      },
    ],
    stimuli: [{ kind: 'current', to: 'cells', current: currentFor(rateHz) }],
    recorders: [{ kind: 'rate', of: 'cells' }],
  };
}

const [TAU, REFRACTORY, DT] = [20, 2, 0.1];

/** The membrane that a constant current leads to, such that the threshold of 1 is reached at this rate. */
function asymptote(rateHz: number): number {
  const interval = 1000 / rateHz - REFRACTORY;
  return 1 / (1 - Math.exp(-interval / TAU));
}

function currentFor(rateHz: number): number {
  return asymptote(rateHz) * (1 - Math.exp(-DT / TAU));
}

/** Membranes spread evenly over the interval between two spikes: as many neurons fire in every step. */
function phases(neurons: number, rateHz: number): number[] {
  const interval = 1000 / rateHz - REFRACTORY;
  const at = (i: number) => ((i * 0.618_033_988_75) % 1) * interval;
  return Array.from(
    { length: neurons },
    (_, i) => asymptote(rateHz) * (1 - Math.exp(-at(i) / TAU)),
  );
}

/** How long to measure, and by which watch. */
interface Measuring {
  readonly warmUp: number;
  readonly groups: number;
  readonly steps: number;
  /** Milliseconds that went by. */
  readonly watch: () => number;
}

/** Time of the processor, each of the threads: others may want it, too. */
const byProcessor = (threads: number): Measuring => ({
  ...{ warmUp: 50, groups: 12, steps: 40 },
  watch: () => process.cpuUsage().user / 1000 / threads,
});

const byClock: Measuring = { warmUp: 2, groups: 3, steps: 4, watch: () => performance.now() };

interface Cost {
  readonly msPerStep: number;
  readonly spikesPerStep: number;
  readonly synapses: number;
}

async function costOf(
  backend: Backend,
  description: SimulationDescription,
  { warmUp, groups, steps, watch }: Measuring,
): Promise<Cost> {
  const simulation = await createSimulation(backend, description);
  await simulation.advance(warmUp);
  const measured: { ms: number; spikes: number }[] = [];
  for (let group = 0; group < groups; group++) {
    const started = watch();
    const { rates } = await simulation.advance(steps);
    const ms = watch() - started;
    const counts = rates.get('cells.rate') ?? new Uint32Array();
    measured.push({ ms, spikes: counts.reduce((sum, count) => sum + count, 0) });
  }
  const best = measured.reduce((least, one) => (one.ms < least.ms ? one : least));
  const { synapses } = simulation;
  simulation.close();
  return { msPerStep: best.ms / steps, spikesPerStep: best.spikes / steps, synapses };
}

async function measureWasm(threads: number): Promise<void> {
  const [neurons, inDegree] = [100_000, 100];
  const backend = await openWasmBackend({ threads });
  const alone = await costOf(backend, network(neurons, 0, 20), byProcessor(threads));
  const joined = await costOf(backend, network(neurons, inDegree, 20), byProcessor(threads));
  const busy = await costOf(backend, network(neurons, inDegree, 100), byProcessor(threads));
  backend.close();
  const perNeuron = (alone.msPerStep * 1e6) / neurons;
  const perEvent = ({ msPerStep, spikesPerStep }: Cost) =>
    ((msPerStep - alone.msPerStep) * 1e6) / (spikesPerStep * inDegree);
  note(`WASM, ${threads} threads: ${neurons} neurons, ${joined.synapses} synapses, dt 0.1 ms`);
  note(`  ${perNeuron.toFixed(2)} ns per neuron update`);
  for (const [rate, cost] of [
    [20, joined],
    [100, busy],
  ] as const) {
    const total = (cost.msPerStep * 1e6) / (cost.spikesPerStep * inDegree);
    note(
      `  at ${rate} Hz: ${cost.msPerStep.toFixed(3)} ms a step, ${cost.spikesPerStep.toFixed(0)} spikes a step, ` +
        `${perEvent(cost).toFixed(2)} ns per synaptic event, ${total.toFixed(2)} with all neurons counted in`,
    );
  }
}

/** Seconds of a second of the network on one core: Brian2, C++ standalone, Intel i7-4770K. */
const BRIAN2_SECONDS = 32.9;

/**
 * The network that Ahmad et al. 2018 ran on several simulators ("Spike: a GPU optimised spiking neural network
 * simulator"; SNNSimulatorComparison, Benchmarks/Brunel, static weights: 3289.79 s for 100 s by Brian2): 10,000
 * neurons with 1000 recurrent synapses each, and 1000 more from 10,000 Poisson neurons of 20 Hz.
 */
function publishedBrunel(): SimulationDescription {
  const neurons = (name: string, count: number) => ({
    ...{ name, count, model: 'lif_reset' },
    parameters: { tau: 20, threshold: 20, refractory: 2 },
  });
  const targets = ['excitatory', 'inhibitory'];
  const project = (from: string, k: number, weight: number) =>
    targets.map((to) => ({
      ...{ from, to, weight, delay: 1.5 },
      connect: { kind: 'inDegree', k } as const,
    }));
  return {
    seed: 1,
    dt: 0.1,
    populations: [
      neurons('excitatory', 8000),
      neurons('inhibitory', 2000),
      { name: 'outside', count: 10_000, model: 'poisson', parameters: { rate: 20 } },
    ],
    projections: [
      ...project('excitatory', 800, 0.1),
      ...project('inhibitory', 200, -0.5),
      ...project('outside', 1000, 0.1),
    ],
    recorders: ['excitatory', 'inhibitory', 'outside'].map((of) => ({ kind: 'rate', of }) as const),
  };
}

async function measurePublished(): Promise<void> {
  const backend = await openWasmBackend({ threads: 1 });
  const simulation = await createSimulation(backend, publishedBrunel());
  await simulation.advance(1000);
  const steps = 2000;
  const started = process.cpuUsage();
  const { rates } = await simulation.advance(steps);
  const seconds = process.cpuUsage(started).user / 1e6 / (steps * 1e-4);
  simulation.close();
  backend.close();
  const spikesPerSecond = (name: string) =>
    (rates.get(`${name}.rate`) ?? new Uint32Array()).reduce((sum, n) => sum + n, 0) /
    (steps * 1e-4);
  // Every spike has 1000 synapses on average, from outside as well.
  const recurrent = spikesPerSecond('excitatory') + spikesPerSecond('inhibitory');
  const events = 1000 * (recurrent + spikesPerSecond('outside'));
  note(
    `Brunel's network as published for other simulators, WASM on one thread: ${seconds.toFixed(2)} s of ` +
      `processor time for 1 s, ${(recurrent / 10_000).toFixed(1)} Hz, ${((seconds * 1e9) / events).toFixed(2)} ns ` +
      `per synaptic event with all counted in; Brian2 ${BRIAN2_SECONDS} s, ` +
      `${((BRIAN2_SECONDS * 1e9) / events).toFixed(2)} ns`,
  );
}

/** As many neurons and connections as the connectome of a fly's brain (FlyWire, Dorkenwald et al. 2024). */
async function runConnectome(): Promise<void> {
  const description = network(139_000, 108, 20);
  note(formatSimulationPlan(planSimulation(parseDescription(description))));
  try {
    const backend = await openWebGpuBackend({ gpu: await openNodeGpu() });
    const { msPerStep, spikesPerStep, synapses } = await costOf(backend, description, byClock);
    note(
      `${backend.device.label}: ${synapses} synapses, ${msPerStep.toFixed(2)} ms a step with ` +
        `${spikesPerStep.toFixed(0)} spikes, ${((msPerStep * 1e6) / (spikesPerStep * 108)).toFixed(2)} ns per event`,
    );
    backend.close();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    note(`not run: ${error.message}`);
  }
}

const parts = {
  brunel: measurePublished,
  wasm: async () => {
    for (const threads of [1, 2]) await measureWasm(threads);
  },
  webgpu: runConnectome,
};
const wanted = process.argv[2];
for (const [name, measure] of Object.entries(parts)) {
  if (wanted === undefined || wanted === name) await measure();
}
// Dawn keeps threads of its own.
process.exit();
