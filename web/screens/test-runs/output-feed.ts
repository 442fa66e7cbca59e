import type { StreamEvent } from '../../../edge/contract/event-stream.ts';
import { TestOutputPiece, TestRun } from '../../../edge/test-runs/contract/test-run.ts';
import { followStream, type StreamLink } from '../../api/follow-stream.ts';
import { createSignal, type Source } from '../../widgets/buffers/signal.ts';

/** Live output of a run. */
export interface OutputFeed extends Source {
  readonly link: StreamLink;
  readonly pieces: readonly TestOutputPiece[];
  /** Whether some of the output was dropped before it was read. */
  readonly isCut: boolean;
  /** The run as it ended; undefined until then. */
  readonly ended: TestRun | undefined;
  /** Follows the run until the returned function is called. */
  follow(): () => void;
}

interface State {
  readonly link: StreamLink;
  readonly pieces: TestOutputPiece[];
  readonly isCut: boolean;
  readonly ended: TestRun | undefined;
  /** The id of the last event that has one. */
  readonly after: string;
}

/** @param open opens the stream of what comes after an event; the whole where that is empty */
export function createOutputFeed(
  open: (after: string, signal: AbortSignal) => Promise<Response>,
): OutputFeed {
  const signal = createSignal();
  let version = 0;
  let state: State = {
    link: { status: 'connecting' },
    pieces: [],
    isCut: false,
    ended: undefined,
    after: '',
  };

  function change(part: Partial<State>) {
    state = { ...state, ...part };
    version += 1;
    signal.emit();
  }

  function onEvent({ id, event, data }: StreamEvent) {
    const value: unknown = JSON.parse(data);
    if (event === 'gap') change({ isCut: true });
    if (event === 'done') change({ ended: TestRun.parse(value) });
    if (event !== 'output') return;
    state.pieces.push(TestOutputPiece.parse(value));
    change({ after: id ?? state.after });
  }

  async function openAgain(closed: AbortSignal): Promise<Response> {
    const stream = await open(state.after, closed);
    // A stream without ids is sent from its beginning: earlier pieces are received again.
    if (state.after === '') change({ pieces: [] });
    return stream;
  }

  return {
    get version() {
      return version;
    },
    get link() {
      return state.link;
    },
    get pieces() {
      return state.pieces;
    },
    get isCut() {
      return state.isCut;
    },
    get ended() {
      return state.ended;
    },
    subscribe: signal.subscribe,
    follow: () =>
      followStream({
        open: openAgain,
        onEvent,
        isOver: () => state.ended !== undefined,
        changed: (link) => change({ link }),
      }),
  };
}
