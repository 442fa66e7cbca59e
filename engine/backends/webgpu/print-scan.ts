import { segmentLength, type Sequence, type Store } from '../../kernel-language/body.ts';
import { closureOf, type Expression, partsOf } from '../../kernel-language/expression.ts';
import { rootsOf, sequenceRoots } from '../../kernel-language/levels.ts';
import type { Printer } from './printer.ts';
import { storesOf } from './target.ts';

type Write = (stores: readonly Store[]) => string[];

/** All sequences: states are variables, what is noted down an array of them. */
export function printScan(printer: Printer, write: Write): string[] {
  const { sequences, isCheckpointed } = printer.body;
  if (isCheckpointed) return segments(printer, write);
  return sequences.flatMap((sequence) => [
    ...start(printer, sequence),
    ...trails(printer, sequence, printer.stepsOf(sequence)),
    ...printLoop(
      printer,
      sequence,
      printer.scoped(() => step(printer, sequence, write)),
    ),
  ]);
}

/** A loop over the steps of a sequence, or those of the segment that begins with step `first`. */
export function printLoop(
  printer: Printer,
  sequence: Sequence,
  inside: readonly string[],
  first?: string,
): string[] {
  const at = printer.coordinate(sequence.coordinate);
  const length = segmentLength(printer.stepsOf(sequence));
  const last = printer.name(sequence.to);
  const from = first ?? printer.name(sequence.from);
  const to = first === undefined ? last : `min(${last}, ${first} + ${length})`;
  const head = sequence.isBackward
    ? `for (var ${at} = ${to} - 1; ${at} >= ${from}; ${at}--) {`
    : `for (var ${at} = ${from}; ${at} < ${to}; ${at}++) {`;
  return [head, ...inside, '}'];
}

/** The states at the start of each segment, and then segment by segment from the last, forth and back. */
function segments(printer: Printer, write: Write): string[] {
  const [forward, back] = printer.body.sequences as [Sequence, Sequence];
  const steps = printer.stepsOf(forward);
  const length = segmentLength(steps);
  const count = Math.ceil(steps / length);
  const states = forward.states.map(({ name, type }) => ({
    state: printer.state(name),
    type: printer.typeOf(type),
  }));
  const dry = { ...forward, trail: [] };
  const run = (sequence: Sequence) =>
    printLoop(
      printer,
      sequence,
      printer.scoped(() => step(printer, sequence, write)),
      `segment * ${length}`,
    );
  return [
    ...start(printer, forward),
    ...trails(printer, forward, length),
    ...states.map(({ state, type }) => `var kept_${state}: array<${type}, ${count}>;`),
    `for (var segment = 0; segment < ${count}; segment++) {`,
    ...states.map(({ state }) => `kept_${state}[segment] = ${state};`),
    ...run(dry),
    '}',
    ...start(printer, back),
    `for (var segment = ${count - 1}; segment >= 0; segment--) {`,
    ...states.map(({ state }) => `${state} = kept_${state}[segment];`),
    ...run(forward),
    ...run(back),
    '}',
  ];
}

/** Lines in front of a loop: its states, and what is the same in every step, which no compiler may move. */
function start(printer: Printer, sequence: Sequence): string[] {
  const { from, to, states } = sequence;
  return [
    ...printer.lines([from, to, ...states.map(({ initial }) => initial)]),
    ...printer.lines(fixedIn(printer, sequence)),
    ...states.map(({ name, initial }) => `var ${printer.state(name)} = ${printer.along(initial)};`),
  ];
}

/** Values of a step that depend neither on it nor on what is stored meanwhile. */
export function fixedIn({ body }: Printer, sequence: Sequence): readonly Expression[] {
  const written = new Set(storesOf(body).map(({ operand }) => operand));
  const moving = new Set<Expression>();
  const all = closureOf(sequenceRoots(sequence));
  for (const node of all) {
    const isMoving =
      node.kind === 'state' ||
      node.kind === 'trail' ||
      (node.kind === 'coordinate' && node.name === sequence.coordinate) ||
      (node.kind === 'load' && written.has(node.operand)) ||
      partsOf(node).some((part) => moving.has(part));
    if (isMoving) moving.add(node);
  }
  return all.filter((node) => !moving.has(node));
}

function trails(printer: Printer, { trail }: Sequence, length: number): string[] {
  return trail.map(
    ({ name, value }) =>
      `var ${printer.trail(name)}: array<${printer.typeOf(value.type)}, ${length}>;`,
  );
}

function step(printer: Printer, sequence: Sequence, write: Write): string[] {
  const { states, trail, stores } = sequence;
  const at = printer.notedAt(sequence);
  // All values first: what is stored may be what another one reads.
  return [
    ...printer.lines(states.map(({ next }) => next)),
    ...printer.lines(trail.map(({ value }) => value)),
    ...printer.lines(stores.flatMap(rootsOf)),
    ...write(stores),
    ...trail.map(({ name, value }) => `${printer.trail(name)}[${at}] = ${printer.along(value)};`),
    ...states.map(({ name, next }) => `let next_${printer.state(name)} = ${printer.along(next)};`),
    ...states.map(({ name }) => `${printer.state(name)} = next_${printer.state(name)};`),
  ];
}
