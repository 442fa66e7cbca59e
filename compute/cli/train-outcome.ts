import {
  defaultSampling,
  type Floor,
  type TrainingRun,
  type Validation,
  type Verdict,
  verdictOf,
} from '../../engine/index.ts';

/** What each floor is, in words. */
const FLOORS: Readonly<Record<Floor['name'], string>> = {
  uniform: 'guessing',
  unigram: 'how often each token comes (unigram)',
  bigram: 'which token follows which (bigram)',
  trigram: 'text alone, three tokens at a time (trigram)',
  majority: 'always the commonest class',
};

const SAMPLE_TOKENS = 200;

/** What a run that ended has come to: against what cannot learn and, of one that writes, in its own words. */
export async function outcomeOf(
  run: TrainingRun,
  last: Validation | undefined,
  json: boolean,
): Promise<readonly string[]> {
  if (!last || run.progress() < 1) return [];
  const floors = await run.floors();
  const verdict = verdictOf(last, floors);
  const lines = verdict ? [verdictLine(verdict, floors)] : [];
  const { generator } = run;
  if (json || !generator) return lines;
  let text = '';
  const request = { ...defaultSampling, prompt: '', tokens: SAMPLE_TOKENS };
  for await (const piece of generator.generate(request)) text += piece;
  return [...lines, 'it writes:', ...text.trim().split('\n').map((line) => `  ${line}`)];
}

/** The floors, by their names, on the last line of `--json`. */
export async function lastFigures(run: TrainingRun): Promise<Readonly<Record<string, number>>> {
  if (run.progress() < 1) return {};
  return Object.fromEntries((await run.floors()).map(({ name, value }) => [name, value]));
}

function verdictLine({ floor, reached, isBeaten }: Verdict, floors: readonly Floor[]): string {
  const figure = ({ figure, value }: Floor) =>
    figure === 'loss' ? `${value.toFixed(3)} nats a token` : `${(100 * value).toFixed(1)} %`;
  const own = figure({ ...floor, value: reached });
  const others = floors
    .slice(0, -1)
    .map(({ name, value }) => `${name} ${value.toFixed(3)}`)
    .join(', ');
  const side = floor.figure === 'loss' ? ['below', 'above'] : ['above', 'not above'];
  const found = `validation ${own} is ${side[isBeaten ? 0 : 1]} the ${figure(floor)} of ${FLOORS[floor.name]}`;
  const means = isBeaten
    ? 'the model has learned more than that'
    : 'the model has NOT learned more than that yet: train longer, or with another rate';
  return `${found}; ${means}${others && ` (${others})`}`;
}
