import { advance, pushed, pushMinimum } from './arithmetic.ts';
import { type Local, PARAMETERS } from './function-code.ts';
import type { Bounds } from './loops.ts';
import type { StepEmitter } from './step-emitter.ts';
import type { ValueEmitter } from './values.ts';

/**
 * A gradient with checkpoints: all steps once, for the states at the start of each segment, and then segment
 * by segment from the last, forth and back. Scratch holds the states of both ways, what is noted down in
 * one segment, and the checkpoints.
 */
export function emitSegments(
  values: ValueEmitter,
  { steps, states, noted }: Segmented,
  argument: number,
): void {
  const { code, analysis } = values;
  const [forward, back] = analysis.body.sequences;
  if (!forward || !back) throw new Error('checkpoints are of a way forth and one back');
  const length = pushed(code, () => {
    code.get(PARAMETERS.args);
    code.access('i32.load', 4 * argument);
  });
  const end = pushed(code, () => values.pushScalar(forward.to));
  const segment = pushed(code, () => code.whole(0));
  const trail = pushed(code, () => {
    code.get(PARAMETERS.scratch);
    steps.pushBytes(states);
    code.op('i32.add');
  });
  const checkpoints = pushed(code, () => {
    code.get(trail);
    code.get(length);
    steps.pushBytes(noted);
    code.op('i32.mul');
    code.op('i32.add');
  });
  const place: Place = { values, steps, length, end, segment };
  const copies = { checkpoints, states: forward.states.length };
  steps.start(forward);
  code.loop(
    () => {
      pushStart(place);
      code.get(end);
      code.op('i32.lt_s');
    },
    () => {
      copyStates(place, copies, 'keep');
      steps.run(forward, { segment: { ...boundsOf(place), trail }, isDry: true });
      advance(code, segment, 1);
    },
  );
  steps.start(back);
  advance(code, segment, -1);
  code.loop(
    () => {
      code.get(segment);
      code.whole(0);
      code.op('i32.ge_s');
    },
    () => {
      copyStates(place, copies, 'restore');
      const own = segmentOf(place, trail, noted);
      for (const sequence of [forward, back]) steps.run(sequence, { segment: own });
      advance(code, segment, -1);
    },
  );
}

/** The steps, and how many numbers of each place lie in scratch: all in front of the trail, and what a step notes. */
interface Segmented {
  readonly steps: StepEmitter;
  readonly states: number;
  readonly noted: number;
}

interface Place {
  readonly values: ValueEmitter;
  readonly steps: StepEmitter;
  /** Steps of a segment, and of all of them. */
  readonly length: Local;
  readonly end: Local;
  readonly segment: Local;
}

function pushStart({ values: { code }, segment, length }: Place): void {
  code.get(segment);
  code.get(length);
  code.op('i32.mul');
}

function boundsOf(place: Place): Bounds {
  const { code } = place.values;
  const from = pushed(code, () => pushStart(place));
  const to = pushed(code, () =>
    pushMinimum(
      code,
      () => {
        code.get(from);
        code.get(place.length);
        code.op('i32.add');
      },
      () => code.get(place.end),
    ),
  );
  return { from, to };
}

/** A segment, and where in scratch the first of all steps would be noted down if that of the segment is at `trail`. */
function segmentOf(place: Place, trail: Local, noted: number) {
  const { code } = place.values;
  const bounds = boundsOf(place);
  const own = pushed(code, () => {
    code.get(trail);
    code.get(bounds.from);
    place.steps.pushBytes(noted);
    code.op('i32.mul');
    code.op('i32.sub');
  });
  return { ...bounds, trail: own };
}

interface Copies {
  readonly checkpoints: Local;
  readonly states: number;
}

/** Keeps the states as the checkpoint of a segment, or restores them from it. */
function copyStates(
  { values: { code }, steps, segment }: Place,
  { checkpoints, states }: Copies,
  way: 'keep' | 'restore',
): void {
  const own = pushed(code, () => {
    code.get(checkpoints);
    code.get(segment);
    steps.pushBytes(states);
    code.op('i32.mul');
    code.op('i32.add');
  });
  const [to, from] = way === 'keep' ? [own, PARAMETERS.scratch] : [PARAMETERS.scratch, own];
  steps.copyStates(to, from, states);
}
