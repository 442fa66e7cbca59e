import { type DType, sharedTensor, type Tensor, wordCount } from './tensor.ts';

/**
 * One of the segments that the time steps of a network are run in. `forward` runs one and leaves its states to the
 * next; `turn` runs the last one, forward and back; `back` runs an earlier one again, from its first states, and
 * back from the gradients of those behind it.
 */
export interface Segment {
  readonly phase: 'forward' | 'turn' | 'back';
  /** Segments, and the steps of all of them. */
  readonly count: number;
  readonly steps: number;
  /** `u32[2]`: the number of the segment that is played, and its first step. The host writes it. */
  readonly place: Tensor;
  /** A tensor that lasts from segment to segment: the same for the same question in all phases. */
  carry(part: CarriedPart): Tensor;
}

/** A part of what passes from segment to segment. */
export interface CarriedPart {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** Its values at the beginning of each run through all segments; 0 everywhere by default. */
  readonly first?: readonly Run[];
}

/** Words alike, one behind the other. */
interface Run {
  readonly words: number;
  readonly value: number;
}

/** A tensor that lasts from segment to segment, with its first values. */
interface CarriedTensor {
  readonly tensor: Tensor;
  /** From its first word on. */
  readonly first: readonly Run[];
}

/**
 * The segments of one network: programs that are traced with them, phase by phase and in the same order, share what
 * they carry.
 */
export class Segments {
  readonly count: number;
  readonly steps: number;
  readonly place = sharedTensor('segment', 'u32', [2]);
  readonly #carried = new Map<string, CarriedTensor>();

  constructor({ count, steps }: Pick<Segments, 'count' | 'steps'>) {
    this.count = count;
    this.steps = steps;
  }

  /** All that was asked for until now. */
  get carried(): readonly CarriedTensor[] {
    return [...this.#carried.values()];
  }

  /** For the program of a phase. */
  phase(phase: Segment['phase']): Segment {
    const asked = new Map<string, number>();
    return {
      phase,
      count: this.count,
      steps: this.steps,
      place: this.place,
      carry: ({ name, dtype, shape, first }) => {
        const index = asked.get(name) ?? 0;
        asked.set(name, index + 1);
        const key = `${name} ${index}`;
        const known = this.#carried.get(key);
        if (known) return known.tensor;
        const tensor = sharedTensor(key, dtype, shape);
        const whole = [{ words: wordCount(tensor), value: 0 }];
        this.#carried.set(key, { tensor, first: first ?? whole });
        return tensor;
      },
    };
  }
}
