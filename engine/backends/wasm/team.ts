import { host } from '#wasm-host';
import { EngineError } from '../../errors.ts';
import type { Thread } from './host/host.ts';
import {
  type Control,
  type Marks,
  playAlone,
  playShare,
  reportFailure,
  type Schedule,
  startOthers,
} from './schedule.ts';

/** The event loop gets a turn when plays have kept it waiting this long. */
const TURN_MS = 16;

interface TeamOptions {
  readonly control: Control;
  readonly crew: readonly Thread[];
  /** Scratch memory of the calling thread. */
  readonly scratch: number;
  reportLoss(reason: string): void;
}

/** A program made ready to be played. */
export interface Part {
  readonly schedule: Schedule;
  /** The program's place among those loaded. */
  readonly index: number;
  readonly isWorthSharing: boolean;
}

/** The calling thread and those that help it. */
export function createTeam({ control, crew, scratch, reportLoss }: TeamOptions) {
  const { threads } = control;
  let failure: EngineError | undefined;
  let isClosed = false;
  let lastTurn = performance.now();
  let turning: Promise<void> | undefined;
  const fail = (reason: string): EngineError => {
    if (!failure) {
      failure = new EngineError('device-lost', `the WASM backend stopped: ${reason}`);
      reportFailure(control);
      reportLoss(failure.message);
    }
    return failure;
  };
  for (const { ended } of crew) {
    void ended.then((reason) => {
      if (!isClosed) fail(`a thread ended: ${reason}`);
    });
  }
  const playTogether = ({ schedule, index }: Part, times: number, marks: Marks | undefined) => {
    const epoch = startOthers(control, index, times);
    if (typeof epoch === 'string') return epoch;
    return playShare(schedule, { control, epoch, times, scratch, marks });
  };
  const takeTurn = async () => {
    await host.turn();
    lastTurn = performance.now();
    turning = undefined;
  };
  return {
    play(part: Part, times: number, marks?: Marks): void {
      if (failure) throw failure;
      let trouble: string | undefined;
      try {
        if (threads > 1 && part.isWorthSharing) trouble = playTogether(part, times, marks);
        else playAlone(part.schedule, scratch, times, marks);
      } catch (error) {
        throw fail(error instanceof Error ? error.message : String(error));
      }
      if (trouble) throw fail(`a thread ${trouble}`);
    },
    /** Lets the event loop run, so that signals, messages and exits of threads are handled. */
    async turn(): Promise<void> {
      if (performance.now() - lastTurn > TURN_MS) {
        turning ??= takeTurn();
        await turning;
      }
      if (failure) throw failure;
    },
    close(): void {
      isClosed = true;
      for (const thread of crew) thread.end();
    },
  };
}
