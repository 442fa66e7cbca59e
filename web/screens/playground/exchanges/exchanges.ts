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

export interface ExchangesState {
  /** Newest first. */
  readonly exchanges: readonly Exchange[];
  /** The one in sight. */
  readonly shown: number | null;
}

interface ExchangesOptions {
  readonly send: (request: InferRequestInput, streaming: Streaming) => Promise<InferAnswer>;
  /** ms since 1970 */
  readonly now: () => number;
}

/** Maximum number of stored exchanges; each may include a spike raster. */
export const MAX_EXCHANGES = 30;

/** Pieces of a text are shown together this often: they come by the hundred a second. */
export const SHOW_EVERY_MS = 50;

const NOTHING: ExchangesState = { exchanges: [], shown: null };

/** Requests of this tab: responses continue to stream while another screen is open. */
export function createExchanges({ send, now }: ExchangesOptions) {
  const store = createStore<ExchangesState>(() => NOTHING);
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

  /** Sends the request to all targets at once, and shows their responses. */
  function ask(question: Question): void {
    const id = nextId++;
    const answers = question.targets.map((): Answer => ({ status: 'waiting' }));
    const exchange: Exchange = { id, askedAt: now(), question, answers };
    store.setState(({ exchanges }) => ({
      exchanges: [exchange, ...exchanges].slice(0, MAX_EXCHANGES),
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

  /** Aborts the request; the text generated so far stays. */
  const stop = (id: number) => running.get(id)?.abort();

  return {
    store,
    ask,
    stop,
    show: (id: number) => store.setState({ shown: id }),
    /** Sets the owner; exchanges of a previous owner are cleared. */
    belongTo(somebody: string): void {
      if (owner !== undefined && owner !== somebody) {
        for (const id of running.keys()) stop(id);
        store.setState(NOTHING);
      }
      owner = somebody;
    },
  };
}

interface Following extends ExchangesOptions {
  readonly signal: AbortSignal;
  readonly onAnswer: (answer: Answer) => void;
}

/** Sends one request and reports the progress of its response until it is complete. Never rejects. */
async function follow(request: InferRequestInput, following: Following): Promise<void> {
  const { send, now, signal, onAnswer } = following;
  const sentAt = now();
  let text = '';
  let firstMs: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const written = (): Written => ({ text, firstMs, totalMs: now() - sentAt });
  const update = () => {
    timer = undefined;
    onAnswer({ status: 'writing', ...written() });
  };
  const onText = (delta: string) => {
    firstMs ??= now() - sentAt;
    text += delta;
    timer ??= setTimeout(update, SHOW_EVERY_MS);
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

export const selectShown = ({ exchanges, shown }: ExchangesState): Exchange | undefined =>
  exchanges.find(({ id }) => id === shown);
