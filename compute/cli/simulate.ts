import {
  createSimulation,
  EngineError,
  formatSimulationPlan,
  type NeuronModel,
  parseDevice,
  parseNeuron,
  planSimulation,
  plasticityRules,
  type Recording,
  type Simulation,
  type SimulationDescription,
  writtenModel,
} from '../../engine/index.ts';
import { EXIT_CODES, onStopSignal, type StopSignal } from '../process/stop-signals.ts';
import { readDescription, READY } from './network-file.ts';
import { readNeuronFile } from './neuron-file.ts';
import { numberOption } from './numbers.ts';
import { type DeviceFlags, deviceOptions, openNodeDevice } from './open-device.ts';
import { createSimulateReporter, type SimulateReporter } from './simulate-reporter.ts';
import { Command } from 'commander';
import { open, readFile } from 'node:fs/promises';
import { parse } from 'node:path';

/** Steps between two lines of spikes written out, so that a long run stays in bounded memory. */
const STRIDE = 1000;

/** The network that docs/design/simulator.md explains. */
const EXAMPLE = new URL('../../examples/networks/feedback.json', import.meta.url);

interface SimulateOptions extends DeviceFlags {
  readonly example?: true;
  readonly steps: number;
  readonly seed?: number;
  /** Files of equations. */
  readonly neuron?: readonly string[];
  readonly spikes?: string;
  readonly plan?: boolean;
  readonly json?: boolean;
}

export function simulateCommand(): Command {
  const command = new Command('simulate')
    .argument('[network]', 'a JSON file, or a built-in network: izhikevich, balanced')
    .option('--example', 'print an example network as JSON and exit')
    .option('--steps <n>', 'steps to run', numberOption, 1000)
    .option(
      '--neuron <files...>',
      'files with the equations of neurons; a population names such a model as the file is named',
    )
    .option('--seed <n>', 'override the seed of the network', numberOption)
    .option('--spikes <file>', 'write time, population and neuron of every spike as CSV')
    .option('--plan', 'print the memory that the network needs and exit')
    .option('--json', 'print the summary as one line of JSON');
  return deviceOptions(command).action(simulate);
}

async function simulate(network: string | undefined, options: SimulateOptions): Promise<void> {
  if (options.example) {
    process.stdout.write(await readFile(EXAMPLE, 'utf8'));
    return;
  }
  if (network === undefined) {
    throw new EngineError(
      'invalid-setting',
      `no network was named: expected a file of JSON (--example prints one), ${READY.join(' or ')}`,
    );
  }
  parseDevice(options.device);
  const models = (options.neuron ?? []).map(modelOfFile);
  const extensions = { rules: plasticityRules, models };
  const description = recordingAll(await readDescription(network, options.seed, models));
  if (options.plan) {
    console.log(formatSimulationPlan(planSimulation(description, extensions)));
    return;
  }
  requireSteps(options.steps);
  const stop = new AbortController();
  const offSignals = onStopSignal((signal) => stop.abort(signal));
  const backend = await openNodeDevice(options);
  const simulation = await createSimulation(backend, description, extensions);
  const reporter = createSimulateReporter(simulation, {
    steps: options.steps,
    json: options.json ?? false,
    device: backend.device.label,
  });
  await runToEnd(simulation, { reporter, signal: stop.signal, options });
  offSignals();
  reporter.finished();
  simulation.close();
  backend.close();
  // The reason of the abort above.
  const stopped = stop.signal.reason as StopSignal | undefined;
  if (stopped) process.exitCode = EXIT_CODES[stopped];
}

/** The model of a file, `neurons/adlif.txt` being `adlif`. */
function modelOfFile(path: string): NeuronModel {
  return writtenModel(parse(path).name, parseNeuron(readNeuronFile(path)));
}

interface Running {
  readonly reporter: SimulateReporter;
  readonly signal: AbortSignal;
  readonly options: SimulateOptions;
}

/** Runs all steps or until the user stops it; what was recorded until then is kept. */
async function runToEnd(
  simulation: Simulation,
  { reporter, signal, options: { steps, spikes } }: Running,
): Promise<void> {
  const file = spikes === undefined ? undefined : await openSpikeFile(spikes, simulation);
  try {
    while (simulation.step() < steps && !signal.aborted) {
      const recording = await simulation.advance(Math.min(STRIDE, steps - simulation.step()), {
        signal,
        onProgress: () => reporter.advanced(simulation.step()),
      });
      reporter.recorded(recording);
      await file?.write(recording);
    }
  } finally {
    await file?.close();
  }
}

function requireSteps(steps: number): void {
  if (Number.isInteger(steps) && steps >= 1) return;
  throw new EngineError(
    'invalid-setting',
    `steps is ${steps}: expected a whole number of at least 1`,
  );
}

/** The spikes of every population are recorded: the summary is made of them. */
function recordingAll(description: SimulationDescription): SimulationDescription {
  const recorders = description.populations.map(({ name }) => ({
    kind: 'spikes' as const,
    of: name,
  }));
  return { ...description, recorders };
}

/** Spikes as lines of CSV, written while a simulation runs. */
interface SpikeFile {
  write(recording: Recording): Promise<void>;
  close(): Promise<void>;
}

async function openSpikeFile(path: string, { description }: Simulation): Promise<SpikeFile> {
  const file = await open(path, 'w');
  await file.write('time_ms,population,neuron\n');
  return {
    async write(recording) {
      for (const { name } of description.populations) {
        const events = recording.spikes.get(`${name}.spikes`);
        if (!events || events.step.length === 0) continue;
        const field = /[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
        const lines = Array.from(events.step, (step, i) => {
          const time = Number((step * description.dt).toPrecision(12));
          return `${time},${field},${events.neuron[i]}\n`;
        });
        await file.write(lines.join(''));
      }
    },
    close: () => file.close(),
  };
}
