import { type Axis, type Body, type Sequence, sizeOf } from '../../kernel-language/body.ts';
import { type Call, Machine } from './machine.ts';

/** Computes a body in float64, place by place and without vectors: its meaning. */
export function interpret(body: Body, call: Call): void {
  const machine = new Machine(body, call);
  const inner = body.domain.at(-1)?.coordinate ?? '';
  const walked = body.domain.filter(
    ({ coordinate }) => !body.sequences.some((one) => one.coordinate === coordinate),
  );
  const lengthOf = ({ size }: Axis) => sizeOf(size, (name) => call.attribute(name));
  const last = body.domain.at(-1);
  const lastSize = last ? lengthOf(last) : 0;
  const walk = (depth: number): void => {
    const axis = walked[depth];
    if (axis && axis.coordinate !== inner) {
      const size = lengthOf(axis);
      for (let i = 0; i < size; i++) {
        machine.place(axis.coordinate, i);
        walk(depth + 1);
      }
      return;
    }
    machine.reduce(inner, lastSize);
    // Places whose steps need no mean of them all are computed one by one.
    const together = machine.hasMeans ? lastSize : 1;
    for (let first = 0; first < lastSize; first += together) {
      const group = new Group(machine, inner, { first, size: together });
      for (const sequence of body.sequences) group.run(sequence);
      group.finish();
    }
  };
  walk(0);
}

interface Places {
  readonly first: number;
  readonly size: number;
}

/** Places of the last axis that take each step together, with the states of each. */
class Group {
  readonly #machine: Machine;
  readonly #inner: string;
  readonly #places: Places;
  #states: readonly Float64Array[] = [];

  constructor(machine: Machine, inner: string, places: Places) {
    this.#machine = machine;
    this.#inner = inner;
    this.#places = places;
  }

  run(sequence: Sequence): void {
    const machine = this.#machine;
    const { size } = this.#places;
    this.#states = sequence.states.map(() => new Float64Array(size));
    this.#each((place) => {
      machine.start(sequence, size);
      machine.keepStates(sequence, this.#states, place);
    });
    for (const step of machine.stepsOf(sequence)) {
      machine.moveTo(sequence, step);
      for (const mean of machine.meansOf(sequence)) {
        let total = 0;
        this.#each((place) => {
          machine.takeStates(sequence, this.#states, place);
          total += machine.partOf(mean);
        });
        machine.set(mean, total / size);
      }
      this.#each((place) => {
        machine.takeStates(sequence, this.#states, place);
        machine.runStep(sequence, place);
        machine.keepStates(sequence, this.#states, place);
      });
    }
  }

  /** Stores done after the last step. */
  finish(): void {
    const machine = this.#machine;
    const last = machine.lastSequence;
    this.#each((place) => {
      if (last) machine.takeStates(last, this.#states, place);
      machine.finish(this.#places.first + place === 0);
    });
  }

  #each(visit: (place: number) => void): void {
    const { first, size } = this.#places;
    for (let place = 0; place < size; place++) {
      this.#machine.place(this.#inner, first + place);
      visit(place);
    }
  }
}
