import {
  defaultSampling,
  type Floor,
  type TrainingRun,
  type Validation,
  type Verdict,
  verdictOf,
} from '../../engine/index.ts';

/** Each floor in words. */
const FLOORS: Readonly<Record<Floor['name'], string>> = {
  uniform: 'uniform over the vocabulary',
  unigram: 'unigram frequencies',
  bigram: 'bigram',
  trigram: 'trigram',
  '4-gram': '4-gram',
  '5-gram': '5-gram',
  majority: 'majority class',
};

const SAMPLE_TOKENS = 200;

/** Text of a finished language model; undefined of any other run. */
export async function sampleOf(run: TrainingRun): Promise<string | undefined> {
  const { generator } = run;
  if (!generator || run.progress() < 1) return undefined;
  let text = '';
  const request = { ...defaultSampling, prompt: '', tokens: SAMPLE_TOKENS };
  for await (const piece of generator.generate(request)) text += piece;
  return text.trim();
}

/** Verdict of a finished run: its loss beside the floors, and the sample where there is one. */
export async function outcomeOf(
  run: TrainingRun,
  last: Validation | undefined,
  sample: string | undefined,
): Promise<readonly string[]> {
  if (!last || run.progress() < 1) return [];
  const floors = await run.floors();
  const verdict = verdictOf(last, floors);
  const lines = verdict ? [verdictLine(verdict, floors)] : [];
  if (sample === undefined) return lines;
  return [...lines, 'it writes:', ...sample.split('\n').map((line) => `  ${line}`)];
}

/** The floors, by their names, on the last line of `--json`. */
export async function lastFigures(run: TrainingRun): Promise<Readonly<Record<string, number>>> {
  if (run.progress() < 1) return {};
  return Object.fromEntries((await run.floors()).map(({ name, value }) => [name, value]));
}

function verdictLine({ floor, reached, isBeaten }: Verdict, floors: readonly Floor[]): string {
  const figure = (value: number) =>
    floor.figure === 'loss' ? value.toFixed(3) : `${(100 * value).toFixed(1)} %`;
  const unit = floor.figure === 'loss' ? ' nats a token' : ' right';
  const isLow = (floor.figure === 'loss') === isBeaten;
  const side = isBeaten ? (isLow ? 'below' : 'above') : isLow ? 'NOT ABOVE' : 'ABOVE';
  const others = floors.slice(0, -1).map(({ name, value }) => `${name} ${value.toFixed(3)}`);
  const means = isBeaten
    ? `it knows more than ${FLOORS[floor.name]}`
    : `it knows no more than ${FLOORS[floor.name]} yet: go on, or begin anew with other settings`;
  const besides = others.length > 0 ? ` (${others.join(', ')})` : '';
  return `validation ${figure(reached)}${unit}, ${side} the ${floor.name}'s ${figure(floor.value)}: ${means}${besides}`;
}
