import {
  type Forecast,
  type Ground,
  type RateTest,
  type RunSettings,
  settingsOf,
  settleSettings,
  type StoredTraining,
  testRates,
  timeInWords,
} from '../../engine/index.ts';
import { requireMemory } from './run-memory.ts';
import { newSettings, resumedSettings } from './settings-options.ts';
import {
  type ChosenControls,
  newControls,
  resumedControls,
  type TrainOptions,
} from './train-options.ts';

/** A run as it begins: what `auto` stands for is settled, and what was measured for it. */
interface SettledRun extends ChosenControls {
  readonly settings: RunSettings;
  readonly forecast?: Forecast | undefined;
  readonly rateTest?: RateTest | undefined;
}

/** A run as the command line gives it, or as its checkpoint has it. Throws EngineError of what cannot be. */
export function beginRun(options: TrainOptions, resume: StoredTraining | undefined): SettledRun {
  if (!resume) {
    const settings = newSettings(options);
    return { settings, ...newControls(options, settings, process.env) };
  }
  const held = settingsOf(resume.execution, resume.spec.architecture);
  return { settings: resumedSettings(options, held), ...resumedControls(options, resume) };
}

/**
 * Settles a new run by its data and on its device, and tells a person; one that resumes is as it was. Throws as
 * `requireMemory`, `settleSettings` and `testRates`.
 */
export async function settleRun(
  options: TrainOptions,
  first: SettledRun,
  ground: Omit<Ground, 'profile'>,
): Promise<SettledRun> {
  const { family, backend, data } = ground;
  const { controls, profile } = first;
  const plan = (run: RunSettings) => family.plan(run, controls, data.shape);
  const device = { device: backend.device, plan };
  await requireMemory(options, first.settings, device);
  if (options.resume !== undefined) return first;
  const settled = await settleNew(options, first, { ...ground, profile });
  if (settled.settings !== first.settings) await requireMemory(options, settled.settings, device);
  if (!options.json) for (const line of settledLines(settled)) console.error(line);
  return settled;
}

async function settleNew(
  options: TrainOptions,
  first: SettledRun,
  ground: Ground,
): Promise<SettledRun> {
  const { settings, forecast } = await settleSettings(first.settings, ground);
  const chosen = newControls(options, settings, process.env);
  if (options.learningRate !== 'auto') return { settings, forecast, ...chosen };
  const rateTest = await testRates(settings, { ...ground, controls: chosen.controls });
  const { chosen: learningRate, reason } = rateTest;
  const choice = { learning_rate: { value: learningRate, reason } };
  const rated = { ...settings, learningRate, chosen: { ...settings.chosen, ...choice } };
  return { settings: rated, rateTest, ...chosen };
}

/** Lines for a person to read before the run begins. */
function settledLines({ settings, forecast, rateTest }: SettledRun): readonly string[] {
  const recipe = settings.chosen?.['recipe'];
  return [
    ...(recipe ? [`recipe ${String(recipe.value)}: ${recipe.reason}`] : []),
    ...(rateTest ? rateLines(rateTest) : []),
    ...(forecast ? [forecastLine(forecast)] : []),
  ];
}

function forecastLine({ stepSeconds, unigramSeconds, bigramSeconds }: Forecast): string {
  const pace = `${Number((1000 * stepSeconds).toPrecision(2))} ms`;
  return (
    `expected on this machine, at ${pace} a step: below the unigram after about ${timeInWords(unigramSeconds)}, ` +
    `below the bigram after about ${timeInWords(bigramSeconds)} (as on tinyshakespeare)`
  );
}

const ROWS = 10;
const BAR = 30;

/** The curve of a range test, a row for every ten steps. */
function rateLines({ rates, smoothed, reason, chosen }: RateTest): string[] {
  const [lowest, highest] = [Math.min(...smoothed), Math.max(...smoothed)];
  const every = Math.max(1, Math.ceil(rates.length / ROWS));
  const rows = rates.flatMap((rate, at) => {
    const loss = smoothed[at] ?? lowest;
    const length = Math.round((BAR * (loss - lowest)) / (highest - lowest || 1));
    const row = `  ${rate.toExponential(1)}  ${loss.toFixed(3)} ${'#'.repeat(length)}`;
    return (at + 1) % every === 0 || at === rates.length - 1 ? [row.trimEnd()] : [];
  });
  return [`learning rate ${chosen}: ${reason}`, ...rows];
}
