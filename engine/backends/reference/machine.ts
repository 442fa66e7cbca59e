import { wordsPerRow } from '../../graph/tensor.ts';
import { type Body, type Sequence, sizeOf, type Store } from '../../kernel-language/body.ts';
import {
  closureOf,
  type Expression,
  type GroupMean,
  isJoined,
  type Load,
  type Reduction,
} from '../../kernel-language/expression.ts';
import { rootsOf, sequenceRoots } from '../../kernel-language/levels.ts';
import { operationOf } from '../../kernel-language/operators.ts';

/** The arrays of a call's operands, and the values of its attributes. */
export interface Call {
  numbers(operand: string): Float64Array | Uint32Array;
  /** Those of an operand that holds words of any type may be floats. */
  words(operand: string): Uint32Array | Float64Array;
  attribute(name: string): number;
}

type Operation = () => void;

/** Registers for every expression of the body, by their numbers. */
export class Machine {
  readonly #body: Body;
  readonly #call: Call;
  readonly #registers: Float64Array;
  readonly #reductions: readonly Reduction[];
  /** Stores along the last axis. */
  readonly #along: readonly Store[];
  /** Registers of coordinates and states. */
  readonly #set = { coordinate: new Map<string, number>(), state: new Map<string, number>() };
  readonly #trails = new Map<string, number[]>();
  readonly #operations = new Map<object, readonly Operation[]>();
  readonly #writes = new Map<readonly Store[], readonly Operation[]>();
  readonly #alongOf = new Map<readonly Store[], readonly Store[]>();
  readonly #means = new Map<Sequence, readonly GroupMean[]>();
  #step = 0;
  /** Places that take each step together, and the one among them that is computed. */
  #together = 1;
  #place = 0;

  constructor(body: Body, call: Call) {
    this.#body = body;
    this.#call = call;
    const all = closureOf([
      ...(body.until ? [body.until] : []),
      ...body.stores.flatMap(rootsOf),
      ...body.sequences.flatMap(sequenceRoots),
    ]);
    this.#registers = new Float64Array((all.at(-1)?.id ?? 0) + 1);
    for (const node of all) this.#prepare(node);
    this.#reductions = all.filter((node): node is Reduction => node.kind === 'reduction');
    const inner = body.domain.at(-1)?.coordinate;
    this.#along = body.stores.filter((one) => isAlong(one, inner));
  }

  /** Whether a step needs a mean of all places. */
  get hasMeans(): boolean {
    return this.#body.sequences.some((sequence) => this.meansOf(sequence).length > 0);
  }

  get lastSequence(): Sequence | undefined {
    return this.#body.sequences.at(-1);
  }

  place(coordinate: string, at: number): void {
    const register = this.#set.coordinate.get(coordinate);
    if (register !== undefined) this.#registers[register] = at;
  }

  /** The sums and maxima of the row, those that others are computed from first. */
  reduce(coordinate: string, size: number): void {
    for (const reduction of this.#reductions) {
      const isSum = reduction.operator === 'sum';
      const end = this.#endOf(size);
      let total = isSum ? 0 : Number.NEGATIVE_INFINITY;
      for (let i = 0; i < end; i++) {
        this.place(coordinate, i);
        this.#compute(reduction, () => [reduction.value]);
        const value = this.#value(reduction.value);
        total = isSum ? total + value : Math.max(total, value);
      }
      this.#registers[reduction.id] = total;
    }
  }

  /** Sets states to what they are before the first step. */
  start({ from, to, states, trail }: Sequence, places: number): void {
    this.#compute(states, () => [from, to, ...states.map(({ initial }) => initial)]);
    this.#setStates(states.map(({ name, initial }) => [name, this.#value(initial)]));
    this.#together = places;
    for (const { name } of trail) this.#trails.set(name, this.#trails.get(name) ?? []);
  }

  /** The steps of a sequence that has started, in their order. */
  stepsOf({ from, to, isBackward }: Sequence): number[] {
    const [first, end] = [this.#value(from), this.#value(to)];
    const steps = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
    return isBackward === true ? steps.toReversed() : steps;
  }

  moveTo({ coordinate }: Sequence, step: number): void {
    this.#step = step;
    this.place(coordinate, step);
  }

  /** The means of a step, those that others are computed from first. */
  meansOf(sequence: Sequence): readonly GroupMean[] {
    const known = this.#means.get(sequence);
    if (known) return known;
    const all = closureOf(sequenceRoots(sequence));
    const means = all.filter((node): node is GroupMean => node.kind === 'mean');
    this.#means.set(sequence, means);
    return means;
  }

  /** The value of a place that goes into a mean. */
  partOf(mean: GroupMean): number {
    this.#compute(mean, () => [mean.value]);
    return this.#value(mean.value);
  }

  set({ id }: Expression, value: number): void {
    this.#registers[id] = value;
  }

  /** Copies the states of a place to the registers; where there is one place, these have them. */
  takeStates({ states }: Sequence, kept: readonly Float64Array[], place: number): void {
    this.#place = place;
    if (this.#together === 1) return;
    this.#setStates(states.map(({ name }, index) => [name, kept[index]?.[place] ?? Number.NaN]));
  }

  keepStates({ states }: Sequence, kept: readonly Float64Array[], place: number): void {
    if (this.#together === 1) return;
    for (const [index, { name }] of states.entries()) {
      const register = this.#set.state.get(name);
      const own = kept[index];
      if (register !== undefined && own) own[place] = this.#registers[register] as number;
    }
  }

  /** The stores that are left; those that say nothing of the last axis are done once. */
  finish(isFirst: boolean): void {
    const wanted = isFirst ? this.#body.stores : this.#along;
    this.#compute(wanted, () => wanted.flatMap(rootsOf));
    this.#store(wanted);
  }

  /** All values before the first store: what is stored may be what another one reads. */
  runStep(sequence: Sequence, place: number): void {
    const { states, trail, stores } = sequence;
    this.#compute(sequence, () => [
      ...states.map(({ next }) => next),
      ...trail.map(({ value }) => value),
      ...stores.flatMap(rootsOf),
    ]);
    this.#store(place === 0 ? stores : this.#ofPlaces(stores));
    for (const { name, value } of trail) {
      const noted = this.#trails.get(name) ?? [];
      noted[this.#step * this.#together + place] = this.#value(value);
    }
    this.#setStates(states.map(({ name, next }) => [name, this.#value(next)]));
  }

  /** Stores that each place has: the others are done once for all of them. */
  #ofPlaces(stores: readonly Store[]): readonly Store[] {
    const inner = this.#body.domain.at(-1)?.coordinate;
    const known = this.#alongOf.get(stores) ?? stores.filter((one) => isAlong(one, inner));
    this.#alongOf.set(stores, known);
    return known;
  }

  #setStates(states: readonly (readonly [name: string, value: number])[]): void {
    for (const [name, value] of states) {
      const register = this.#set.state.get(name);
      if (register !== undefined) this.#registers[register] = value;
    }
  }

  /** Sets the registers that are known before any place is looked at. */
  #prepare(node: Expression): void {
    if (node.kind === 'constant') this.#registers[node.id] = node.value;
    else if (node.kind === 'attribute') this.#registers[node.id] = this.#call.attribute(node.name);
    else if (node.kind === 'coordinate' || node.kind === 'state')
      this.#set[node.kind].set(node.name, node.id);
  }

  /** Computes values for `user` and all that they need, in an order that is found once for each user. */
  #compute(user: object, wanted: () => readonly Expression[]): void {
    let operations = this.#operations.get(user);
    if (!operations) {
      const nodes = closureOf(wanted(), isJoined);
      operations = nodes.flatMap((node) => this.#operationOf(node) ?? []);
      this.#operations.set(user, operations);
    }
    for (const operate of operations) operate();
  }

  #value({ id }: Expression): number {
    return this.#registers[id] as number;
  }

  #operationOf(node: Expression): Operation | undefined {
    const registers = this.#registers;
    if (node.kind === 'apply') return operationOf(node, registers);
    if (node.kind === 'load') return this.#load(node);
    if (node.kind !== 'trail') return undefined;
    return () => {
      const at = this.#step * this.#together + this.#place;
      registers[node.id] = this.#trails.get(node.name)?.[at] ?? Number.NaN;
    };
  }

  /** Where the row ends for its sums. */
  #endOf(size: number): number {
    const { until } = this.#body;
    if (!until) return size;
    this.#compute(until, () => [until]);
    return this.#value(until);
  }

  /** Finds the place of an element. */
  #placeOf(operand: string, indices: readonly Expression[]): () => number {
    const { axes, element } = this.#body.layouts[operand] ?? { axes: [], element: 'f32' };
    const registers = this.#registers;
    const places = indices.map(({ id }) => id);
    const sizes = indices.map((_, axis) => {
      const given = axes[axis] ?? 1;
      const size =
        typeof given === 'number' ? given : sizeOf(given, (name) => this.#call.attribute(name));
      return element === 'bits' && axis === axes.length - 1 ? 32 * wordsPerRow(size) : size;
    });
    return () => {
      let at = 0;
      for (let axis = 0; axis < places.length; axis++) {
        at = at * (sizes[axis] as number) + (registers[places[axis] as number] as number);
      }
      return at;
    };
  }

  #load({ id, operand, indices }: Load): Operation {
    const registers = this.#registers;
    const placeOf = this.#placeOf(operand, indices);
    const element = this.#body.layouts[operand]?.element;
    if (element === 'f32') {
      const numbers = this.#call.numbers(operand);
      return () => {
        registers[id] = numbers[placeOf()] ?? Number.NaN;
      };
    }
    const words = this.#call.words(operand);
    if (element === 'bits') {
      return () => {
        const at = placeOf();
        registers[id] = ((words[at >>> 5] ?? 0) >>> (at & 31)) & 1;
      };
    }
    return () => {
      const word = words[placeOf()] ?? 0;
      registers[id] = element === 'i32' ? word | 0 : word;
    };
  }

  #store(stores: readonly Store[]): void {
    const writes = this.#writes.get(stores) ?? stores.map((one) => this.#writeOf(one));
    this.#writes.set(stores, writes);
    for (const write of writes) write();
  }

  #writeOf({ operand, indices, value }: Store): Operation {
    const placeOf = this.#placeOf(operand, indices);
    const element = this.#body.layouts[operand]?.element;
    if (element === 'bits') {
      const words = this.#call.words(operand);
      return () => setBit(words, placeOf(), this.#value(value) !== 0);
    }
    const data = element === 'f32' ? this.#call.numbers(operand) : this.#call.words(operand);
    return () => {
      data[placeOf()] = this.#value(value);
    };
  }
}

/** Whether an element lies along the axis of a coordinate. */
function isAlong({ indices }: Store, coordinate: string | undefined): boolean {
  return closureOf(indices).some((node) => node.kind === 'coordinate' && node.name === coordinate);
}

function setBit(words: Uint32Array | Float64Array, at: number, isSet: boolean): void {
  const bit = 1 << (at & 31);
  const word = words[at >>> 5] ?? 0;
  words[at >>> 5] = isSet ? word | bit : word & ~bit;
}
