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

export interface TeamOptions {
  readonly control: Control;
  readonly crew: readonly Thread[];
  /** Scratch memory of the calling thread. */
  readonly scratch: number;
  reportLoss(reason: string): void;
}

export interface PlayOptions {
  /** The program's place among those loaded. */
  readonly index: number;
  readonly isWorthSharing: boolean;
  readonly marks?: Marks | undefined;
}

/** The calling thread and those that help it. */
export function createTeam({ control, crew, scratch, reportLoss }: TeamOptions) {
  const { threads } = control;
  let failure: EngineError | undefined;
  let isClosed = false;
  let lastTurn = performance.now();
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
  const playTogether = (schedule: Schedule, { index, marks }: PlayOptions) => {
    const epoch = startOthers(control, index);
    if (typeof epoch === 'string') return epoch;
    return playShare(schedule, { control, epoch, scratch, ...(marks && { marks }) });
  };
  return {
    play(schedule: Schedule, options: PlayOptions): void {
      if (failure) throw failure;
      let trouble: string | undefined;
      try {
        if (threads > 1 && options.isWorthSharing) trouble = playTogether(schedule, options);
        else playAlone(schedule, scratch, options.marks);
      } catch (error) {
        throw fail(error instanceof Error ? error.message : String(error));
      }
      if (trouble) throw fail(`a thread ${trouble}`);
    },
    /** Lets the event loop run, so that signals, messages and the ends of threads are heard. */
    async turn(): Promise<void> {
      if (performance.now() - lastTurn > TURN_MS) {
        await nextTurn();
        lastTurn = performance.now();
      }
      if (failure) throw failure;
    },
    close(): void {
      isClosed = true;
      for (const thread of crew) thread.end();
    },
  };
}

/** Resolves after what else has happened was heard. A timer would be held back in a browser. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(0);
  });
}
