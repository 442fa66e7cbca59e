import { Command } from 'commander';
import {
  defaultSampling,
  openLanguageModel,
  parseDevice,
  textModelOf,
  unitOf,
} from '../../engine/index.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { loadModel } from './load-model.ts';
import { numberOption } from './numbers.ts';
import { type DeviceFlags, deviceOptions, openNodeDevice } from './open-device.ts';

interface GenerateOptions extends DeviceFlags {
  readonly model: string;
  readonly gateway?: string;
  readonly prompt: string;
  readonly tokens: number;
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly seed: number;
  readonly int8?: boolean;
  readonly chunk?: number;
  readonly json?: boolean;
}

export function generateCommand(): Command {
  const command = new Command('generate')
    .requiredOption(
      '--model <dir>',
      'a run, a checkpoint, or with --gateway a model id (id or id@version)',
    )
    .option('--gateway <url>', 'load the model from the registry behind this gateway')
    .option('--prompt <text>', 'prompt to continue', '')
    .option('--tokens <n>', 'number of tokens', numberOption, 200)
    .option(
      '--temperature <t>',
      'sampling temperature; 0 is greedy',
      numberOption,
      defaultSampling.temperature,
    )
    .option(
      '--top-k <k>',
      'sample from the k likeliest tokens; 0 for all',
      numberOption,
      defaultSampling.topK,
    )
    .option(
      '--top-p <p>',
      'sample from the likeliest tokens up to this probability',
      numberOption,
      defaultSampling.topP,
    )
    .option(
      '--seed <n>',
      'random seed; the same seed gives the same text',
      numberOption,
      defaultSampling.seed,
    )
    .option('--int8', 'quantise the weights behind spikes to 8 bits')
    .option(
      '--chunk <n>',
      'prefill chunk size of a model with a memory; the text does not depend on it',
      numberOption,
    )
    .option('--json', 'print one line of JSON instead of streaming');
  return deviceOptions(command).action(generate);
}

async function generate(options: GenerateOptions): Promise<void> {
  parseDevice(options.device);
  const stored = await loadModel(options.model, options.gateway);
  const backend = await openNodeDevice(options);
  const model = await openLanguageModel(backend, stored, {
    weights: options.int8 ? 'int8' : 'float32',
    chunk: options.chunk,
  });
  const { prompt, tokens, temperature, topK, topP, seed } = options;
  const stop = new AbortController();
  const offSignals = onStopSignal(() => stop.abort());
  let text = '';
  let written = 0;
  const started = performance.now();
  const request = { prompt, tokens, temperature, topK, topP, seed, signal: stop.signal };
  for await (const piece of model.generate(request)) {
    // The prompt is shown once it is known to be in the model's alphabet.
    if (!options.json) process.stdout.write(written === 0 ? prompt + piece : piece);
    text += piece;
    written += 1;
  }
  offSignals();
  const seconds = (performance.now() - started) / 1000;
  if (options.json) {
    console.log(JSON.stringify({ prompt, text, tokens: written, tokens_per_s: written / seconds }));
    return;
  }
  process.stdout.write('\n');
  console.error(
    `${written} ${unitOf(textModelOf(stored).tokenizer)} in ${seconds.toFixed(1)} s (${Math.round(written / seconds)} a second) on ${backend.device.label}`,
  );
}
