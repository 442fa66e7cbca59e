import type { Sequence, Store } from '../../../kernel-language/body.ts';
import { closureOf, type Expression, type GroupMean } from '../../../kernel-language/expression.ts';
import { LEVEL } from '../../../kernel-language/levels.ts';
import {
  computedIn,
  keptInSteps,
  splitStores,
  type StepPass,
  stepPasses,
} from '../../../kernel-language/step-passes.ts';
import { pushed } from './arithmetic.ts';
import { type FunctionCode, type Local, PARAMETERS } from './function-code.ts';
import { groupScratch } from './group-plan.ts';
import { createGroupStores } from './group-stores.ts';
import { eachStep, eachVector, storeOne } from './loops.ts';
import { LANES, VECTOR_BYTES } from './plan.ts';
import { joinLanes, keepLanes } from './rows.ts';
import { emitSum } from './shortened.ts';
import type { Run, StepEmitter } from './step-emitter.ts';
import type { ValueEmitter } from './values.ts';

interface GroupSteps extends StepEmitter {
  /** Makes the states of a vector known, as far as stores need them. */
  load(sequence: Sequence, stores: readonly Store[], offset: Local): void;
  readonly segmented: {
    readonly steps: StepEmitter;
    readonly states: number;
    readonly noted: number;
  };
}

/**
 * Steps of a row. The numbers of the four places of a vector lie side by side in scratch, so that their places
 * follow from one address.
 */
export function createGroupSteps(values: ValueEmitter, width: Local): GroupSteps {
  const { code, analysis } = values;
  const { states, kept, noted } = groupScratch(analysis, 0);
  const [first] = analysis.body.sequences;
  /** Bytes of a number of each place. */
  const row = pushed(code, () => {
    code.get(width);
    code.whole(LANES - 1);
    code.op('i32.add');
    code.whole(2);
    code.op('i32.shr_u');
    code.whole(VECTOR_BYTES);
    code.op('i32.mul');
  });
  const pushBytes = (numbers: number) => {
    code.get(row);
    code.whole(numbers);
    code.op('i32.mul');
  };
  const area = (numbers: number) =>
    pushed(code, () => {
      code.get(PARAMETERS.scratch);
      pushBytes(numbers);
      code.op('i32.add');
    });
  const [ofSecond, ofPasses, ofTrail] = [
    area(first?.states.length ?? 0),
    area(states),
    area(states + kept),
  ] as const;
  const statesOf = (sequence: Sequence): Area => ({
    base: sequence === first ? PARAMETERS.scratch : ofSecond,
    numbers: sequence.states.length,
  });
  const site: Site = {
    values,
    width,
    statesOf,
    passes: { base: ofPasses, numbers: kept },
    trail: { base: ofTrail, numbers: noted },
    pushBytes,
  };
  const steps: StepEmitter = {
    pushBytes,
    start: (sequence) => startStates(site, sequence),
    run: (sequence, run = {}) => runSteps(site, sequence, run),
    copyStates(to, from, numbers) {
      code.get(to);
      code.get(from);
      pushBytes(numbers);
      code.op('memory.copy');
    },
  };
  return {
    ...steps,
    segmented: { steps, states: states + kept, noted },
    load: (sequence, stores, offset) =>
      loadStates(site, sequence, closureOf(stores.map(({ value }) => value)), offset),
  };
}

/** Where so many numbers of each place lie. */
interface Area {
  readonly base: Local;
  readonly numbers: number;
}

interface Site {
  readonly values: ValueEmitter;
  readonly width: Local;
  statesOf(sequence: Sequence): Area;
  /** Values that passes leave to later ones. */
  readonly passes: Area;
  readonly trail: Area;
  pushBytes(numbers: number): void;
}

/** The address of the numbers of a vector. */
function vectorOf(code: FunctionCode, { base, numbers }: Area, offset: Local): Local {
  return pushed(code, () => {
    code.get(base);
    code.get(offset);
    code.whole(numbers);
    code.op('i32.mul');
    code.op('i32.add');
  });
}

function startStates({ values, width, statesOf }: Site, sequence: Sequence): void {
  const { code } = values;
  if (sequence.states.length === 0) return;
  eachVector(values, width, (_, offset) => {
    const place = vectorOf(code, statesOf(sequence), offset);
    for (const [index, { initial }] of sequence.states.entries()) {
      code.get(place);
      values.pushVector(initial);
      code.access('v128.store', VECTOR_BYTES * index);
    }
  });
}

/** Loads numbers of a vector that are needed, each under its node. */
function loadNumbers(
  { values }: Site,
  area: Area,
  nodes: readonly (Expression | undefined)[],
  offset: Local,
): void {
  const { code } = values;
  if (!nodes.some((node) => node !== undefined)) return;
  const place = vectorOf(code, area, offset);
  for (const [index, node] of nodes.entries()) {
    if (!node) continue;
    code.get(place);
    code.access('v128.load', VECTOR_BYTES * index);
    values.hold(node, code.keep('v128'));
  }
}

function loadStates(
  site: Site,
  sequence: Sequence,
  needed: readonly Expression[],
  offset: Local,
): void {
  const { pool } = site.values.analysis.body;
  const nodes = sequence.states.map(({ name, type }) => pool.state(name, type));
  loadNumbers(
    site,
    site.statesOf(sequence),
    nodes.map((node) => (needed.includes(node) ? node : undefined)),
    offset,
  );
}

function runSteps(site: Site, sequence: Sequence, { segment, isDry = false }: Run): void {
  const { values, trail } = site;
  const { code, analysis } = values;
  const passes = stepPasses(analysis, sequence, isDry);
  const wanted = new Set(closureOf(passes.flatMap(({ roots }) => roots)));
  const { shared } = splitStores(analysis, sequence.stores);
  eachStep(
    values,
    sequence,
    (step) => {
      const noted = pushed(code, () => {
        code.get(segment?.trail ?? trail.base);
        code.get(step);
        site.pushBytes(trail.numbers);
        code.op('i32.mul');
        code.op('i32.add');
      });
      const walk = createWalk(site, { sequence, passes, trail: { ...trail, base: noted } });
      for (const [index, { means }] of passes.slice(0, -1).entries()) {
        emitMeans(site, means, (add) => walk(index, add));
        values.enter(LEVEL.step, index + 1, wanted);
      }
      const stores = createGroupStores(values, sequence.stores);
      walk(passes.length - 1, (left, offset) => {
        const nexts = sequence.states.map(({ next }) => {
          values.pushVector(next);
          return code.keep('v128');
        });
        if (!isDry) noteDown(site, sequence, { ...trail, base: noted }, offset);
        stores.add(left, offset);
        storeNexts(site, sequence, nexts, offset);
      });
      for (const store of shared) storeOne(values, store);
    },
    segment,
  );
}

type Visit = (left: Local | undefined, offset: Local) => void;

interface Walked {
  readonly sequence: Sequence;
  readonly passes: readonly StepPass[];
  /** The values that the step has noted down. */
  readonly trail: Area;
}

/** Visits the vectors of a row in one of the passes of a step, with what this needs known. */
function createWalk(site: Site, { sequence, passes, trail }: Walked) {
  const { values, width } = site;
  const { code, analysis } = values;
  const { body } = analysis;
  const kept = keptInSteps(analysis, passes);
  const noted = body.sequences.flatMap((one) => one.trail);
  return (index: number, visit: Visit): void => {
    const pass = passes[index] as StepPass;
    const isLeft = (node: Expression) => (kept.get(node) ?? index) < index;
    const computed = computedIn(pass, isLeft);
    const reached = new Set(closureOf(pass.roots));
    const nodes = [...kept.keys()];
    eachVector(values, width, (left, offset) => {
      loadStates(site, sequence, computed, offset);
      const ofTrail = noted.map(({ name, value }) => body.pool.trail(name, value.type));
      loadNumbers(
        site,
        trail,
        ofTrail.map((node) => (computed.includes(node) ? node : undefined)),
        offset,
      );
      loadNumbers(
        site,
        site.passes,
        nodes.map((node) => (isLeft(node) && reached.has(node) ? node : undefined)),
        offset,
      );
      visit(left, offset);
      const own = nodes.filter((node) => kept.get(node) === index);
      if (own.length === 0) return;
      const place = vectorOf(code, site.passes, offset);
      for (const node of own) {
        code.get(place);
        values.pushVector(node);
        code.access('v128.store', VECTOR_BYTES * nodes.indexOf(node));
      }
    });
  };
}

/** Adds values up over the row, and makes their means known. */
function emitMeans(
  { values, width }: Site,
  means: readonly GroupMean[],
  walk: (add: Visit) => void,
): void {
  const { code } = values;
  const totals = means.map(() => {
    code.floats(0);
    return code.keep('v128');
  });
  walk((left) => {
    for (const [index, { value }] of means.entries()) {
      const total = totals[index] ?? 0;
      if (left === undefined) emitSum(values, value, () => code.get(total));
      else {
        code.get(total);
        values.pushVector(value);
        keepLanes(code, left, 'sum');
        code.op('f32x4.add');
      }
      code.set(total);
    }
  });
  for (const [index, mean] of means.entries()) {
    code.get(totals[index] ?? 0);
    joinLanes(code, 'f32x4.add');
    code.get(width);
    code.op('i32x4.splat');
    code.op('f32x4.convert_i32x4_s');
    code.op('f32x4.div');
    values.bind(mean, code.keep('v128'));
  }
}

function noteDown({ values }: Site, sequence: Sequence, trail: Area, offset: Local): void {
  const { code, analysis } = values;
  if (sequence.trail.length === 0) return;
  const names = analysis.body.sequences.flatMap((one) => one.trail.map(({ name }) => name));
  const place = vectorOf(code, trail, offset);
  for (const { name, value } of sequence.trail) {
    code.get(place);
    values.pushVector(value);
    code.access('v128.store', VECTOR_BYTES * names.indexOf(name));
  }
}

function storeNexts(
  { values: { code }, statesOf }: Site,
  sequence: Sequence,
  nexts: readonly Local[],
  offset: Local,
): void {
  if (nexts.length === 0) return;
  const place = vectorOf(code, statesOf(sequence), offset);
  for (const [index, next] of nexts.entries()) {
    code.get(place);
    code.get(next);
    code.access('v128.store', VECTOR_BYTES * index);
  }
}
