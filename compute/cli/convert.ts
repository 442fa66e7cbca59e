import { Command, InvalidArgumentError } from 'commander';
import {
  type Conversion,
  convertTransformer,
  modelOf,
  loadFamily,
  parseDevice,
  settingsOf,
  type SpikingLoss,
  type TextData,
} from '../../engine/index.ts';
import { openData } from '../data/open-data.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { loadModel } from './load-model.ts';
import { numberOption } from './numbers.ts';
import { type DeviceFlags, deviceOptions, openNodeDevice } from './open-device.ts';

interface ConvertOptions extends DeviceFlags {
  readonly model: string;
  readonly gateway?: string;
  readonly data: string;
  readonly timeSteps: readonly number[];
  readonly windows?: number;
  readonly json?: boolean;
}

const TIME_STEPS = [4, 8, 16, 32, 64];

export function convertCommand(): Command {
  const command = new Command('convert')
    .requiredOption(
      '--model <dir>',
      'a run, a checkpoint, or with --gateway a model id (id or id@version)',
    )
    .option('--gateway <url>', 'load the model from the registry behind this gateway')
    .requiredOption(
      '--data <file>',
      'a UTF-8 text: its beginning calibrates the ranges, its end is evaluated',
    )
    .option(
      '--time-steps <list>',
      'numbers of time steps to try, comma-separated',
      numbersOption,
      TIME_STEPS,
    )
    .option('--windows <n>', 'windows of text for each of the two', numberOption)
    .option('--json', 'print one line of JSON');
  return deviceOptions(command).action(convert);
}

function numbersOption(text: string): number[] {
  const numbers = text.split(',').map(numberOption);
  if (new Set(numbers).size === numbers.length) return numbers;
  throw new InvalidArgumentError(`got "${text}", expected no number twice.`);
}

async function convert(options: ConvertOptions): Promise<void> {
  parseDevice(options.device);
  const stored = modelOf(await loadModel(options.model, options.gateway), 'standard_transformer');
  const { spec, execution } = stored;
  const family = await loadFamily(spec.architecture);
  const files = await openData(options.data);
  const stop = new AbortController();
  const offSignals = onStopSignal(() => stop.abort());
  try {
    // Read as the text that the model learned from.
    const settings = settingsOf(execution, spec.architecture);
    const opening = { base: stored, signal: stop.signal };
    // A family with this architecture reads text.
    const { corpus } = (await family.openData(files, settings, opening)) as TextData;
    const backend = await openNodeDevice(options);
    const conversion = await convertTransformer(backend, stored, corpus, {
      timeSteps: options.timeSteps,
      ...(options.windows !== undefined && { windows: options.windows }),
      ...(!options.json && { onResult: (result) => console.log(lineOf(result)) }),
      signal: stop.signal,
    });
    backend.close();
    await corpus.close();
    console.log(options.json ? JSON.stringify(inJson(conversion)) : lastLine(conversion));
  } finally {
    offSignals();
    await files.close();
  }
}

function lineOf({ timeSteps, loss, lost, rate, synapticOps, denseMacs }: SpikingLoss): string {
  return (
    `T ${String(timeSteps).padStart(4)}  loss ${loss.toFixed(4)} nats, ${lost >= 0 ? '+' : ''}` +
    `${lost.toFixed(4)}  ${(100 * rate).toFixed(1)} % of neurons fire a step, ` +
    `${Math.round(synapticOps)} additions for ${denseMacs} MACs per token`
  );
}

function lastLine({ loss, tokens }: Conversion): string {
  return `float   loss ${loss.toFixed(4)} nats on the same ${tokens} tokens`;
}

function inJson({ loss, tokens, results }: Conversion) {
  return {
    loss,
    tokens,
    results: results.map(({ timeSteps, synapticOps, denseMacs, energy, ...rest }) => ({
      time_steps: timeSteps,
      ...rest,
      synaptic_ops: synapticOps,
      dense_macs: denseMacs,
      energy: {
        compute_pj: energy.computePj,
        dense_compute_pj: energy.denseComputePj,
        with_memory_pj: energy.withMemoryPj,
        dense_with_memory_pj: energy.denseWithMemoryPj,
      },
    })),
  };
}
