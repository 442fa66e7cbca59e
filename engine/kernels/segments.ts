import { equations } from '../kernel-language/written-kernel.ts';
import { ACCUMULATE, kernelsOf, STEPS } from './table.ts';

const BY_STEPS = { over: { step: 'steps', row: 'rows', column: 'width' }, scan: 'step' } as const;

/** Words of any type. */
const STARTS = { starts: 'u32[slots, count]', states: 'u32[count]' } as const;

/** A part of a tensor of `all` words, from `first` on, that goes to a place in one of `targets`. */
const PART = { first: 'int', to: 'int', count: 'int', all: 'int', targets: 'int' } as const;

/**
 * Of steps that are run in segments. `place` has the number of a segment and its first step: as attributes they would
 * be other kernels for each. Made when a program first calls them: no part of a build.
 */
export const segmentKernels = kernelsOf('segments', {
  /** The states that the segment begins with. */
  take_start: {
    operands: { place: 'read', starts: 'read', states: 'write' },
    attributes: { slots: 'int', count: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { place: 'u32[2]', ...STARTS },
      equations: 'states = starts[i32(place[0]), element]',
    }),
  },
  /** The states that the segment ends with are those that the next one begins with. */
  put_start: {
    operands: { place: 'read', states: 'read', starts: 'update' },
    attributes: { slots: 'int', count: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { place: 'u32[2]', ...STARTS },
      equations: 'starts[i32(place[0]) + 1, element] = states',
    }),
  },
  /** Elements from `first` on. */
  fill_part: {
    operands: { target: 'update' },
    attributes: { first: 'int', count: 'int', all: 'int', value: 'float' },
    write: equations({
      over: { element: 'count' },
      shapes: { target: 'f32[all]' },
      equations: 'target[element + first] = value',
    }),
  },
  /** Words of any type, from one place to another. */
  move_part: {
    operands: { source: 'read', target: 'update' },
    attributes: PART,
    write: equations({
      over: { word: 'count' },
      shapes: { source: 'u32[all]', target: 'u32[targets]' },
      equations: 'target[word + to] = source[word + first]',
    }),
  },
  add_part: {
    operands: { source: 'read', target: 'update' },
    attributes: PART,
    write: equations({
      over: { element: 'count' },
      shapes: { source: 'f32[all]', target: 'f32[targets]' },
      equations: 'target[element + to] = target[element + to] + source[element + first]',
    }),
  },
  /** The sum over the steps so far. */
  add_steps: {
    operands: { source: 'read', total: 'update' },
    attributes: { ...STEPS, spikes: 'flag' },
    write: equations(({ spikes }) => ({
      ...BY_STEPS,
      shapes: {
        source: `${spikes === true ? 'bits' : 'f32'}[steps, rows, width]`,
        total: 'f32[rows, width]',
      },
      equations: `
        state sum = total
        sum = sum + f32(source)
        after
        total = sum`,
    })),
  },
  /** A sum over all steps as their mean. */
  mean_of_total: {
    operands: { total: 'read', target: 'write' },
    attributes: { count: 'int', all: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { total: 'f32[count]', target: 'f32[count]' },
      equations: 'target = total / all',
    }),
  },
  mean_of_total_backward: {
    operands: { gradient: 'read', target: 'update' },
    attributes: { count: 'int', steps: 'int', all: 'int', ...ACCUMULATE },
    write: equations({
      over: { step: 'steps', element: 'count' },
      shapes: { gradient: 'f32[count]', target: 'f32[steps, count]' },
      equations: 'target (+)= gradient / all',
    }),
  },
  /** The maximum so far; `at` is the first step that has it. */
  max_so_far: {
    operands: { place: 'read', source: 'read', most: 'update', at: 'update' },
    attributes: STEPS,
    write: equations({
      ...BY_STEPS,
      shapes: {
        place: 'u32[2]',
        source: 'f32[steps, rows, width]',
        most: 'f32[rows, width]',
        at: 'u32[rows, width]',
      },
      equations: `
        state greatest = most
        state found = f32(at)
        found = source > greatest ? f32(step + i32(place[1])) : found
        greatest = max(greatest, source)
        after
        most = greatest
        at = u32(found)`,
    }),
  },
  max_so_far_backward: {
    operands: { place: 'read', gradient: 'read', at: 'read', target: 'update' },
    attributes: { ...STEPS, ...ACCUMULATE },
    write: equations({
      over: BY_STEPS.over,
      shapes: {
        place: 'u32[2]',
        gradient: 'f32[rows, width]',
        at: 'u32[rows, width]',
        target: 'f32[steps, rows, width]',
      },
      equations: 'target (+)= step + i32(place[1]) == i32(at) ? gradient : 0',
    }),
  },
});
