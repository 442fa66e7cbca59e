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

/** The likely reason of a run that learned less than its simplest floor, with evidence. */
export type Cause =
  /** The loss of training rose. */
  | {
      readonly name: 'rate-too-high';
      readonly rate: number;
      readonly from: number;
      readonly to: number;
    }
  /** The loss of training is below the floor, which that of validation is not. */
  | { readonly name: 'learned-by-heart'; readonly loss: number; readonly epochs: number }
  /** It saw fewer tokens or examples than it has parameters, or made hardly any steps. */
  | {
      readonly name: 'too-few-steps';
      readonly steps: number;
      readonly items: number;
      readonly parameters: number;
    }
  /** Many steps moved the loss of training little. */
  | {
      readonly name: 'hardly-moved';
      readonly rate: number;
      readonly steps: number;
      readonly from: number;
      readonly to: number;
    }
  /** It was still learning. */
  | {
      readonly name: 'budget-spent';
      readonly steps: number;
      readonly from: number;
      readonly to: number;
    };

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

/** The likely reason why a run missed a floor. */
function causeOf(run: TrainedRun, { figure, value }: Floor): Cause {
  const { steps, itemsPerStep, stepsPerEpoch, parameters, learningRate: rate } = run;
  const { firstLoss: from, lastLoss: to } = run;
  const items = steps * itemsPerStep;
  if (to > from + MOVED) return { name: 'rate-too-high', rate, from, to };
  if (figure === 'loss' && to < value - MOVED) {
    return { name: 'learned-by-heart', loss: to, epochs: steps / stepsPerEpoch };
  }
  if (steps < MIN_STEPS || items < parameters) {
    return { name: 'too-few-steps', steps, items, parameters };
  }
  if (from - to < MOVED) return { name: 'hardly-moved', rate, steps, from, to };
  return { name: 'budget-spent', steps, from, to };
}
