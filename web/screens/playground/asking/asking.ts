import { createStore } from 'zustand/vanilla';
import type { InferAnswer, InferRequestInput } from '../../../../edge/inference/contract/infer.ts';
import { RetryLater, type Streaming } from '../../../api/inference.ts';
import { type Question, requestOf } from './question.ts';

/** How far the answer of one version is. Times are in ms. */
export type Answer =
  | { readonly status: 'waiting' }
  | ({ readonly status: 'writing' } & Written)
  | ({ readonly status: 'stopped' } & Written)
  | ({ readonly status: 'done'; readonly response: InferAnswer } & Written)
  | ({
      readonly status: 'failed';
      readonly error: unknown;
      readonly retryAt: number | null;
    } & Written);

interface Written {
  readonly text: string;
  /** Since the request was sent; null while nothing has come. */
  readonly firstMs: number | null;
  readonly totalMs: number;
}

/** A question with its answers, in the order of its targets. */
export interface Exchange {
  readonly id: number;
  /** ms since 1970 */
  readonly askedAt: number;
  readonly question: Question;
  readonly answers: readonly Answer[];
}

export interface AskingState {
  /** Newest first. */
  readonly exchanges: readonly Exchange[];
  /** The one in sight. */
  readonly shown: number | null;
}

interface AskingOptions {
  readonly send: (request: InferRequestInput, streaming: Streaming) => Promise<InferAnswer>;
  /** ms since 1970 */
  readonly now: () => number;
}

/** Questions that are kept; each may hold a picture of its spikes. */
export const MOST_KEPT = 30;

/** Pieces of a text are shown together this often: they come by the hundred a second. */
export const SHOW_EVERY_MS = 50;

const NOTHING: AskingState = { exchanges: [], shown: null };

/** The questions of this tab: answers go on being written while one looks at other screens. */
export function createAsking({ send, now }: AskingOptions) {
  const store = createStore<AskingState>(() => NOTHING);
  const running = new Map<number, AbortController>();
  let owner: string | undefined;
  let nextId = 1;

  const setAnswer = (id: number, place: number, answer: Answer) =>
    store.setState(({ exchanges }) => ({
      exchanges: exchanges.map((exchange) =>
        exchange.id === id
          ? { ...exchange, answers: exchange.answers.with(place, answer) }
          : exchange,
      ),
    }));

  /** Asks all targets at once, and shows what they answer. */
  function ask(question: Question): void {
    const id = nextId++;
    const answers = question.targets.map((): Answer => ({ status: 'waiting' }));
    const exchange: Exchange = { id, askedAt: now(), question, answers };
    store.setState(({ exchanges }) => ({
      exchanges: [exchange, ...exchanges].slice(0, MOST_KEPT),
      shown: id,
    }));
    const controller = new AbortController();
    running.set(id, controller);
    const all = question.targets.map((target, place) =>
      follow(requestOf(question, target), {
        send,
        now,
        signal: controller.signal,
        onAnswer: (answer) => setAnswer(id, place, answer),
      }),
    );
    void Promise.all(all).then(() => running.delete(id));
  }

  /** Hangs up: what has been written stays. */
  const stop = (id: number) => running.get(id)?.abort();

  return {
    store,
    ask,
    stop,
    show: (id: number) => store.setState({ shown: id }),
    /** Whose questions these are: nobody sees those of another. */
    belongTo(somebody: string): void {
      if (owner !== undefined && owner !== somebody) {
        for (const id of running.keys()) stop(id);
        store.setState(NOTHING);
      }
      owner = somebody;
    },
  };
}

interface Following extends AskingOptions {
  readonly signal: AbortSignal;
  readonly onAnswer: (answer: Answer) => void;
}

/** Sends one request and tells how its answer grows, until it is over. Never rejects. */
async function follow(request: InferRequestInput, following: Following): Promise<void> {
  const { send, now, signal, onAnswer } = following;
  const sentAt = now();
  let text = '';
  let firstMs: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const written = (): Written => ({ text, firstMs, totalMs: now() - sentAt });
  const tell = () => {
    timer = undefined;
    onAnswer({ status: 'writing', ...written() });
  };
  const onText = (delta: string) => {
    firstMs ??= now() - sentAt;
    text += delta;
    timer ??= setTimeout(tell, SHOW_EVERY_MS);
  };
  try {
    const response = await send(request, { signal, onText });
    text = 'text' in response.outputs ? response.outputs.text : '';
    onAnswer({ status: 'done', response, ...written() });
  } catch (error) {
    if (signal.aborted) onAnswer({ status: 'stopped', ...written() });
    else {
      const retryAt = error instanceof RetryLater ? now() + error.afterS * 1000 : null;
      onAnswer({ status: 'failed', error, retryAt, ...written() });
    }
  } finally {
    clearTimeout(timer);
  }
}

export const isOver = ({ status }: Answer): boolean => status !== 'waiting' && status !== 'writing';

export const selectShown = ({ exchanges, shown }: AskingState): Exchange | undefined =>
  exchanges.find(({ id }) => id === shown);
