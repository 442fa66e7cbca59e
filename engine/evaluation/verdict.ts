import type { Floor } from './floors.ts';

/** How a model did against its floors. */
export interface Verdict {
  /** The simplest floor that it does not beat where that is a simple one; the hardest that it beats otherwise. */
  readonly floor: Floor;
  readonly reached: number;
  readonly isBeaten: boolean;
  /** The easiest of those that it does not beat, where it beats all simple ones. */
  readonly next?: Floor;
  /** Likely reason of a simple floor that is not beaten. */
  readonly cause?: Cause;
}

/** The likely reason of a run that learned less than its simplest floor, by the first evidence that holds. */
interface Cause {
  readonly name:
    | 'rate-too-high'
    | 'learned-by-heart'
    | 'too-few-steps'
    | 'hardly-moved'
    | 'budget-spent';
  /** The evidence with its figures, and what helps. */
  readonly text: string;
}

/** Of a run that has ended. */
export interface TrainedRun {
  readonly steps: number;
  /** Tokens of text or examples of a step. */
  readonly itemsPerStep: number;
  readonly stepsPerEpoch: number;
  readonly parameters: number;
  readonly learningRate: number;
  /** Losses of training in nats, of the first step and of the last. */
  readonly firstLoss: number;
  readonly lastLoss: number;
}

/** Figures of a validation. */
interface ValidatedModel {
  readonly loss: number;
  readonly figures?: Readonly<Record<string, number>>;
}

const SIMPLE: ReadonlySet<string> = new Set(['uniform', 'unigram', 'bigram', 'majority']);
/** Steps that no run does without. */
const MIN_STEPS = 200;
/** Nats by which a loss has to fall, and those within which one step differs from the next. */
const MOVED = 0.1;

/** Compares a validated model with its floors; undefined where the family has none. */
export function verdictOf(
  { loss, figures = {} }: ValidatedModel,
  floors: readonly Floor[],
  run?: TrainedRun,
): Verdict | undefined {
  const [first] = floors;
  if (!first) return undefined;
  const reached = first.figure === 'loss' ? loss : (figures['accuracy'] ?? Number.NaN);
  const isBeaten = ({ figure, value }: Floor) =>
    figure === 'loss' ? reached < value : reached > value;
  const easiest = floors.toSorted((a, b) =>
    first.figure === 'loss' ? b.value - a.value : a.value - b.value,
  );
  const missed = easiest.find((floor) => SIMPLE.has(floor.name) && !isBeaten(floor));
  if (missed) {
    const cause = run && causeOf(run, missed);
    return { floor: missed, reached, isBeaten: false, ...(cause && { cause }) };
  }
  const next = easiest.find((floor) => !isBeaten(floor));
  const floor = easiest.findLast(isBeaten) ?? first;
  return { floor, reached, isBeaten: isBeaten(floor), ...(next && { next }) };
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');

/** The likely reason why a run missed a floor. */
function causeOf(run: TrainedRun, { figure, value }: Floor): Cause {
  const { steps, itemsPerStep, stepsPerEpoch, parameters, learningRate: rate } = run;
  const { firstLoss: from, lastLoss: to } = run;
  const items = steps * itemsPerStep;
  const moved = `the training loss from ${from.toFixed(2)} to ${to.toFixed(2)}`;
  if (to > from + MOVED) {
    const text = `learning_rate ${rate} took ${moved}, which is too high; leave it out or take a tenth of it`;
    return { name: 'rate-too-high', text };
  }
  if (figure === 'loss' && to < value - MOVED) {
    const epochs = (steps / stepsPerEpoch).toFixed(1);
    const text = `the training loss is ${to.toFixed(2)} after ${epochs} epochs: it learned its data by heart; take more data, a smaller model or fewer epochs`;
    return { name: 'learned-by-heart', text };
  }
  if (steps < MIN_STEPS || items < parameters) {
    const text = `${whole(steps)} steps with ${whole(items)} tokens or examples in all are too few for ${whole(parameters)} parameters; take a longer budget or a smaller preset`;
    return { name: 'too-few-steps', text };
  }
  if (from - to < MOVED) {
    const text = `${whole(steps)} steps moved ${moved} only: learning_rate ${rate} does not suit this model; leave it out or try another`;
    return { name: 'hardly-moved', text };
  }
  const text = `the budget ended while it learned: ${whole(steps)} steps brought ${moved}; go on with a longer one`;
  return { name: 'budget-spent', text };
}
