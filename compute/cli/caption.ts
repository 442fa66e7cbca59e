import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import {
  type CaptionRequest,
  decodePng,
  decodeWav,
  defaultSampling,
  openCaptioner,
  parseDevice,
} from '../../engine/index.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { loadModel } from './load-model.ts';
import { numberOption } from './numbers.ts';
import { type DeviceFlags, deviceOptions, openNodeDevice } from './open-device.ts';

interface CaptionOptions extends DeviceFlags {
  readonly model: string;
  readonly gateway?: string;
  readonly image?: string;
  readonly sound?: string;
  readonly prompt: string;
  readonly tokens?: number;
  readonly temperature: number;
  readonly seed: number;
  readonly json?: boolean;
}

export function captionCommand(): Command {
  const command = new Command('caption')
    .requiredOption(
      '--model <dir>',
      'a run, a checkpoint, or with --gateway a model id (id or id@version)',
    )
    .option('--gateway <url>', 'load the model from the registry behind this gateway')
    .option('--image <file>', 'the image, a PNG file')
    .option('--sound <file>', 'the audio, a WAV file')
    .option('--prompt <text>', 'beginning of the caption', '')
    .option('--tokens <n>', 'maximum number of characters', numberOption)
    .option('--temperature <t>', 'sampling temperature; 0 is greedy', numberOption, 0)
    .option(
      '--seed <n>',
      'random seed; the same seed gives the same text',
      numberOption,
      defaultSampling.seed,
    )
    .option('--json', 'print one line of JSON instead of streaming');
  return deviceOptions(command).action(caption);
}

async function caption(options: CaptionOptions): Promise<void> {
  parseDevice(options.device);
  const { image, sound, prompt, tokens, temperature, seed } = options;
  const stop = new AbortController();
  const request: CaptionRequest = {
    ...defaultSampling,
    prompt,
    temperature,
    seed,
    signal: stop.signal,
    ...(tokens !== undefined && { tokens }),
    ...(image !== undefined && { picture: decodePng(image, await readFile(image)) }),
    ...(sound !== undefined && { sound: decodeWav(sound, await readFile(sound)) }),
  };
  const stored = await loadModel(options.model, options.gateway);
  const captioner = await openCaptioner(await openNodeDevice(options), stored);
  const offSignals = onStopSignal(() => stop.abort());
  let text = prompt;
  for await (const piece of captioner.caption(request)) text += piece;
  offSignals();
  captioner.close();
  console.log(options.json ? JSON.stringify({ caption: text }) : text);
}
