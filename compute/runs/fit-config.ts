import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Data, FitOptions, Model } from '../../engine/index.ts';
import { CONFIG } from './run-files.ts';

/** The config of a run of the library: what is plain data of it. Functions and data stay in its program. */
export function fitConfig(model: Model, data: Data, options: FitOptions) {
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

export type FitConfig = ReturnType<typeof fitConfig>;

/** The config that a folder has, with the step that a run resumes from. */
export async function resumedConfig(
  folder: string,
  resumed: { readonly step: number; readonly epochs: number },
): Promise<object> {
  // Written by fitConfig, or by this.
  const config = JSON.parse(await readFile(join(folder, CONFIG), 'utf8')) as {
    readonly resumed?: readonly object[];
  };
  return { ...config, resumed: [...(config.resumed ?? []), resumed] };
}

/** SHA-256 of the arrays of examples; of data that is made as it is read there is none. */
function digestsOf(data: Data): Readonly<Record<string, string>> {
  const arrays = Object.entries(data).flatMap(([name, value]) =>
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
