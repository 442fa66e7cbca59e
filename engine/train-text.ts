import { openBackend } from './backends/open-backend.ts';
import type { DeviceChoice } from './backends/device-choice.ts';
import type { CheckpointFiles } from './checkpoint/files.ts';
import { singleFile } from './data/files/data-files.ts';
import { memorySource } from './data/files/zip.ts';
import { EngineError } from './errors.ts';
import type { Backend, DeviceDescription } from './graph/backend.ts';
import { controlsFor } from './settings/controls.ts';
import type { Fields } from './settings/fields.ts';
import { DEFAULT_MINUTES, type PresetName } from './settings/recipes.ts';
import type { Budget } from './settings/run-settings.ts';
import type { Architecture } from './models/architectures.ts';
import { runControls } from './models/auto-recipes.ts';
import { chooseSettings } from './models/choices.ts';
import { settleSettings } from './models/settle-settings.ts';
import type { TextGenerator } from './models/language/generator.ts';
import { defaultSampling, type Sampling } from './models/language/sampling.ts';
import { loadFamily } from './models/load-family.ts';
import { openLanguageModel } from './models/open-model.ts';
import { unpackModel } from './models/stored-model.ts';

/** Figures after some training steps. */
export interface TextReport {
  /** Optimizer steps done. */
  readonly step: number;
  /** Mean training loss since the last report, in nats a token. */
  readonly loss: number;
  /** Share of the budget that is spent, from 0 to 1. */
  readonly progress: number;
  readonly tokensPerSecond: number;
}

/** How `trainText` trains. Options left out come from the measured recipe of the family. */
export interface TrainTextOptions {
  /** `dense_chronospike` by default; any family that learns from text. */
  readonly family?: Architecture;
  /** Sizes and recipe; `auto` by default. */
  readonly preset?: PresetName;
  /** Fields of the family by their names, such as `{ d_model: 64, num_blocks: 2 }`, in place of the preset's. */
  readonly fields?: Fields;
  /** How long to train: optimizer steps, or minutes; 2.5 minutes by default. */
  readonly steps?: number;
  readonly minutes?: number;
  readonly seed?: number;
  /** A device by name, or one that is open, which stays so; `auto` by default. */
  readonly device?: DeviceChoice | Backend;
  /** Called about twice a second. */
  readonly onReport?: (report: TextReport) => void;
  /** Ends training early; the model is what has been learned until then. */
  readonly signal?: AbortSignal;
}

/** A model that writes text. */
export interface TextModel {
  readonly device: DeviceDescription;
  /** Losses of all training steps in nats a token; empty for a model that was opened. */
  readonly losses: readonly number[];
  /**
   * Continues a prompt, a piece for each token. Throws EngineError `unknown-character` for a prompt outside
   * the alphabet, `invalid-setting`, and `generator-busy` while another text is written.
   */
  write(
    prompt: string,
    options?: Partial<Sampling> & { readonly tokens?: number; readonly signal?: AbortSignal },
  ): AsyncGenerator<string, void, undefined>;
  /** The checkpoint by file name, which `openText`, the command line and the platform read. */
  files(): Promise<CheckpointFiles>;
  /** Gives back the memory, and the device where the model opened it. */
  close(): void;
}

const REPORTS_PER_SECOND = 2;
const DEFAULT_TOKENS = 200;

/**
 * Trains a language model of the platform on a text, with its recipe; the last tenth of it is not learned from.
 * Throws EngineError `text-too-short`, `invalid-setting`, `diverged`, and as `openBackend`.
 */
export async function trainText(text: string, options: TrainTextOptions = {}): Promise<TextModel> {
  const { family: architecture = 'dense_chronospike', fields = {}, preset, seed } = options;
  const budget = budgetOf(options);
  const first = chooseSettings({ architecture, fields, preset, seed, budget });
  const family = await loadFamily(architecture);
  family.check(first);
  const source = memorySource('text.txt', new TextEncoder().encode(text));
  const data = await family.openData(singleFile(source), first);
  const { backend, give } = await deviceOf(options.device);
  try {
    const isNamed = preset !== undefined && preset !== 'auto';
    const { settings } = isNamed
      ? { settings: first }
      : await settleSettings(first, { family, backend, data });
    const controls = controlsFor(runControls('auto', settings), {}, {});
    const run = await family.createRun({ backend, settings, controls, profile: 'auto' }, data);
    const losses: number[] = [];
    const close = () => {
      run.close();
      give();
    };
    const { generator } = run;
    if (!generator) throw writesNothing(architecture);
    await trainToEnd(run, losses, options);
    return { ...writerOf(backend, generator, close), losses, files: () => run.checkpoint() };
  } catch (error) {
    give();
    throw error;
  } finally {
    await data.close?.();
  }
}

/**
 * Opens a trained model that writes text from the files of its checkpoint, by name. Throws EngineError
 * `checkpoint-missing`, `checkpoint-damaged` and `checkpoint-mismatch`.
 */
export async function openText(
  files: CheckpointFiles,
  { device }: Pick<TrainTextOptions, 'device'> = {},
): Promise<TextModel> {
  const stored = unpackModel(files);
  const { backend, give } = await deviceOf(device);
  try {
    const model = await openLanguageModel(backend, stored);
    const close = () => {
      model.close();
      give();
    };
    const writer = writerOf(backend, model, close);
    return { ...writer, losses: [], files: () => Promise.resolve(files) };
  } catch (error) {
    give();
    throw error;
  }
}

function budgetOf({ steps, minutes }: TrainTextOptions): Budget {
  if (steps === undefined) return { kind: 'minutes', minutes: minutes ?? DEFAULT_MINUTES };
  if (minutes === undefined) return { kind: 'steps', steps };
  throw new EngineError(
    'invalid-setting',
    `steps is ${steps} and minutes ${minutes}: expected one of them`,
  );
}

async function deviceOf(device: DeviceChoice | Backend = 'auto') {
  if (typeof device === 'object') return { backend: device, give: () => {} };
  const backend = await openBackend(device, { gpu: globalThis.navigator?.gpu });
  return { backend, give: () => backend.close() };
}

type Run = Awaited<ReturnType<Awaited<ReturnType<typeof loadFamily>>['createRun']>>;

/** A chunk of steps at a time, of half a second each. */
async function trainToEnd(run: Run, losses: number[], { onReport, signal }: TrainTextOptions) {
  let steps = 1;
  const { totalSteps = Infinity } = run;
  const isAborted = () => signal?.aborted === true;
  while (run.progress() < 1 && !isAborted()) {
    const count = Math.max(1, Math.min(steps, totalSteps - run.step()));
    const done = await run.advance(count);
    losses.push(...done.losses);
    const loss = done.losses.reduce((sum, one) => sum + one, 0) / done.losses.length;
    const { tokensPerSecond } = done;
    onReport?.({ step: run.step(), loss, progress: run.progress(), tokensPerSecond });
    steps = Math.max(1, Math.round(count / (REPORTS_PER_SECOND * Math.max(1e-3, done.seconds))));
  }
}

function writerOf({ device }: Backend, generator: TextGenerator, close: () => void) {
  return {
    device,
    write: (
      prompt: string,
      options: Partial<Sampling> & { readonly tokens?: number; readonly signal?: AbortSignal } = {},
    ) => generator.generate({ ...defaultSampling, tokens: DEFAULT_TOKENS, ...options, prompt }),
    close,
  };
}

function writesNothing(architecture: string): EngineError {
  return new EngineError(
    'invalid-setting',
    `family is ${architecture}, which writes no text: expected such as dense_chronospike`,
  );
}
