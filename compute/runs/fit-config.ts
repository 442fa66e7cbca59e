import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Data,
  EngineError,
  type FitOptions,
  type Model,
  parseJson,
} from '../../engine/index.ts';
import { CONFIG } from './run-files.ts';

export interface FitConfig {
  readonly format: 'spikegrid.fit';
  readonly version: 1;
  readonly command: string;
  readonly node: string;
  readonly device: string;
  readonly network: Model['network'];
  readonly fit: { readonly epochs: number; readonly [option: string]: unknown };
  /** SHA-256 of arrays by their names. */
  readonly data: Readonly<Record<string, string>>;
  /** Where it was resumed. */
  readonly resumed?: readonly { readonly step: number; readonly epochs: number }[];
}

/** The config of a run of the library: what is plain data of it. Functions and data stay in its program. */
export function fitConfig(model: Model, data: Data, options: FitOptions): FitConfig {
  const { loss, optimizer, epochs = 1, batchSize = 32, seed = 0, schedule, ...others } = options;
  const { on, earlyStopping, keepBest } = others;
  return {
    format: 'spikegrid.fit',
    version: 1,
    command: ['node', ...process.argv.slice(1)].join(' '),
    node: process.version,
    device: model.device.label,
    network: model.network,
    fit: {
      loss: loss.name,
      optimizer,
      epochs,
      batchSize,
      seed,
      ...(schedule && { schedule: 'as in the program' }),
      ...(on !== undefined && { on }),
      ...(earlyStopping && { earlyStopping }),
      ...(keepBest !== undefined && { keepBest }),
    },
    data: digestsOf(data),
  };
}

/**
 * The config that a folder has, with the step that a run resumes from. A folder without one gets that of the run.
 * Throws EngineError `checkpoint-damaged`.
 */
export async function resumedConfig(
  folder: string,
  own: FitConfig,
  step: number,
): Promise<FitConfig> {
  const path = join(folder, CONFIG);
  const { resumed = [], ...config } = existsSync(path) ? await readConfig(path) : own;
  return { ...config, resumed: [...resumed, { step, epochs: own.fit.epochs }] };
}

async function readConfig(path: string): Promise<FitConfig> {
  try {
    // Written by this.
    return parseJson(await readFile(path, 'utf8')) as FitConfig;
  } catch (error) {
    throw new EngineError('checkpoint-damaged', `${path} cannot be read: ${String(error)}`, {
      cause: error,
    });
  }
}

/** SHA-256 of the arrays of examples; of data that is made as it is read there is none. */
function digestsOf(data: Data): Readonly<Record<string, string>> {
  const arrays = Object.entries(data ?? {}).flatMap(([name, value]) =>
    ArrayBuffer.isView(value)
      ? [
          [
            name,
            digestOf(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)),
          ] as const,
        ]
      : [],
  );
  return Object.fromEntries(arrays);
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
