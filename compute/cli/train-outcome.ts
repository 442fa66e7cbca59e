import {
  defaultSampling,
  type Floor,
  type TrainingRun,
  type Validation,
  type Verdict,
} from '../../engine/index.ts';

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
  const verdict = await run.verdict(last);
  const lines = verdict ? verdictLines(verdict) : [];
  if (sample === undefined) return lines;
  return [...lines, 'it writes:', ...sample.split('\n').map((line) => `  ${line}`)];
}

/** The floors, by their names, on the last line of `--json`. */
export async function lastFigures(run: TrainingRun): Promise<Readonly<Record<string, number>>> {
  if (run.progress() < 1) return {};
  return Object.fromEntries((await run.floors()).map(({ name, value }) => [name, value]));
}

/** Each floor in words. */
const FLOORS: Readonly<Record<Floor['name'], string>> = {
  uniform: 'uniform guessing',
  unigram: 'the unigram',
  bigram: 'the bigram',
  trigram: 'the trigram',
  '4-gram': 'the 4-gram',
  '5-gram': 'the 5-gram',
  majority: 'the majority class',
  linear: 'the linear classifier',
};

const figureOf = (figure: Floor['figure'], value: number) =>
  figure === 'loss' ? value.toFixed(3) : `${(100 * value).toFixed(1)} %`;

const withFigure = ({ name, figure, value }: Floor) =>
  `${FLOORS[name]} (${figureOf(figure, value)})`;

/** All floors in one line; undefined of a family that has none. */
export function floorsLine(floors: readonly Floor[]): string | undefined {
  const [first] = floors;
  if (!first) return undefined;
  const listed = floors.map(({ name, figure, value }) => `${name} ${figureOf(figure, value)}`);
  const unit = first.figure === 'loss' ? 'nats a token' : 'accuracy';
  return `to be beaten on the validation data, ${unit}: ${listed.join(', ')}`;
}

/** A verdict in sentences; the report of a run says the same. */
export function verdictLines({ floor, reached, isBeaten, next, cause }: Verdict): string[] {
  const unit = floor.figure === 'loss' ? ' nats a token' : '';
  const result = `validation ${figureOf(floor.figure, reached)}${unit}`;
  if (isBeaten) {
    const more = next ? `, not yet than ${withFigure(next)}` : '';
    return [`${result}: better than ${withFigure(floor)}${more}`];
  }
  const missed = `${result}: NOT BETTER than ${withFigure(floor)}`;
  return cause ? [missed, `likely cause: ${cause.text}`] : [missed];
}
