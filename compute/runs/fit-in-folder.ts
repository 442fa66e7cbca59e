import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkFit,
  type Data,
  decodeSafetensors,
  EngineError,
  fit,
  type FitOptions,
  type History,
  type Inputs,
  type Model,
} from '../../engine/index.ts';
import { setAsideEarlierRun } from '../checkpoints/checkpoint-folder.ts';
import { type FitConfig, fitConfig, resumedConfig } from './fit-config.ts';
import { writeFitReport } from './fit-report.ts';
import { openNotebook } from './notebook.ts';
import { CONFIG, jsonText, LAST_MODEL, TRAINING, writeWhole } from './run-files.ts';

/** Options of `fit`, and of the folder that is its notebook. */
export interface FolderOptions extends Omit<FitOptions, 'resume'> {
  /** A few examples, as for `model.observe`: the report shows the spikes of the first, metrics the rates of all. */
  readonly sample?: Inputs;
  /** Writes an event file for TensorBoard, too. */
  readonly tensorboard?: boolean;
  /**
   * Goes on, bit by bit, from where the run of this folder ended, from its last epoch where it was killed, or from
   * what `history.save()` gave; the lines up to there are kept, none is there twice.
   */
  readonly resume?: boolean | Uint8Array;
}

/**
 * `fit` with a folder as its notebook: config.json, metrics.jsonl with a line for each report, the models of the last
 * and the best epoch, the state to resume from, and report.html. An earlier run in the folder moves to a folder
 * below it. Throws as `fit`, EngineError `checkpoint-missing` where there is nothing to resume, and what `fs` throws.
 */
export async function fitInFolder(
  folder: string,
  model: Model,
  data: Data,
  { sample, tensorboard = false, resume = false, ...options }: FolderOptions,
): Promise<History> {
  // Refused options leave the folder as it was.
  checkFit(options);
  const state = await stateOf(folder, resume);
  const from = state && stepOf(state);
  if (!state) await setAsideEarlierRun(folder);
  const book = await openNotebook(folder, { model, options, sample, tensorboard, from });
  const config = await configOf(folder, from, fitConfig(model, data, options));
  const report = (ended: string) =>
    writeFitReport(folder, { model, sample, config, ended, ...book.findings() });
  const recorded = { ...options, onReport: book.onReport, onEpoch: book.onEpoch };
  try {
    const history = await fit(model, data, { ...recorded, ...(state && { resume: state }) });
    await book.flush();
    await writeWhole(join(folder, TRAINING), history.save());
    // With keepBest the model is that of an earlier epoch now.
    if (options.keepBest !== true) await writeWhole(join(folder, LAST_MODEL), model.save());
    await report(`${history.ended} at step ${history.step}`);
    return history;
  } catch (error) {
    await book.flush().catch(() => undefined);
    await report(error instanceof Error ? error.message : String(error)).catch(() => undefined);
    throw error;
  }
}

/** Writes the config of a run, or notes in that of one before where it is resumed. */
async function configOf(folder: string, from: number | undefined, config: FitConfig) {
  const kept = from === undefined ? config : await resumedConfig(folder, config, from);
  await writeWhole(join(folder, CONFIG), jsonText(kept));
  return kept;
}

/** The state to resume from; undefined for a run that begins. */
async function stateOf(folder: string, resume: boolean | Uint8Array) {
  if (typeof resume !== 'boolean') return resume;
  return resume ? readState(folder) : undefined;
}

async function readState(folder: string): Promise<Uint8Array> {
  const path = join(folder, TRAINING);
  try {
    return await readFile(path);
  } catch (error) {
    throw new EngineError(
      'checkpoint-missing',
      `${folder} holds no ${TRAINING}: expected the folder of a run of at least one epoch, or resume: false`,
      { cause: error },
    );
  }
}

/** Steps done by then; `fit` checks the rest of the file. */
function stepOf(state: Uint8Array): number {
  const { metadata } = decodeSafetensors(state, TRAINING);
  const step = /"step":(\d+)/.exec(metadata['run'] ?? '')?.[1];
  if (step !== undefined) return Number(step);
  throw new EngineError(
    'checkpoint-damaged',
    `resume: its run is ${(metadata['run'] ?? 'missing').slice(0, 200)}`,
  );
}
