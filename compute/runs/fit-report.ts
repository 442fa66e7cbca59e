import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Inputs, Model } from '../../engine/index.ts';
import { digestOf } from './fit-config.ts';
import type { Findings } from './notebook.ts';
import { writeReport } from './report.ts';
import { BEST_MODEL, CONFIG, LAST_MODEL, METRICS, TRAINING } from './run-files.ts';

interface FitFindings extends Findings {
  readonly model: Model;
  readonly sample: Inputs | undefined;
  readonly config: object;
  readonly ended: string;
}

/** Writes the report of a run of the library, from its folder and from what its model does with the sample. */
export async function writeFitReport(folder: string, findings: FitFindings): Promise<void> {
  const { model, sample, config, ended, lines, rates, confusion } = findings;
  const { parameters } = model.inspect();
  await writeReport(folder, {
    config,
    lines,
    rates,
    observation: sample && (await model.observe(sample)),
    ...(confusion && { confusion: rowsOf(confusion) }),
    digests: await fileDigests(folder, [LAST_MODEL, BEST_MODEL, TRAINING, CONFIG, METRICS]),
    facts: {
      ended,
      device: model.device.label,
      parameters: String(parameters),
      'Node.js': process.version,
    },
  });
}

/** Of the files that are there. */
export async function fileDigests(
  folder: string,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const digests = names.map(async (name) => {
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    return bytes ? [[name, digestOf(bytes)] as const] : [];
  });
  return Object.fromEntries((await Promise.all(digests)).flat());
}

function rowsOf(square: Uint32Array): Uint32Array[] {
  const side = Math.sqrt(square.length);
  return Array.from({ length: side }, (_, row) => square.subarray(row * side, (row + 1) * side));
}
