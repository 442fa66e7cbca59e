import type { Sequence } from '../../../kernel-language/body.ts';
import type { Local } from './function-code.ts';
import type { Bounds } from './loops.ts';

/** The part of a sequence that is run. */
export interface Run {
  /** The segment, and where what is noted down lies in scratch: as if the segment began with the first step. */
  readonly segment?: Bounds & { readonly trail: Local };
  /** Runs for the states alone, and notes nothing down. */
  readonly isDry?: boolean;
}

/** Takes the places of an item through steps, with their states in scratch. */
export interface StepEmitter {
  /** Pushes the bytes of so many numbers of each place. */
  pushBytes(numbers: number): void;
  /** Sets the states to what they are before the first step. */
  start(sequence: Sequence): void;
  run(sequence: Sequence, run?: Run): void;
  /** Copies the first `states` numbers of each place from one address to another. */
  copyStates(to: Local, from: Local, states: number): void;
}
