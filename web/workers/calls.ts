/** Calls of a worker by name, each with its request and its response. */
type Calls = Readonly<Record<string, { readonly ask: unknown; readonly answer: unknown }>>;

interface Question {
  readonly id: number;
  readonly what: string;
  readonly ask: unknown;
}

type Answer =
  | { readonly id: number; readonly ok: true; readonly answer: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };

/** The page's end of a worker that answers questions. */
export interface Caller<C extends Calls> {
  /** Rejects with what the worker threw, or with why it died. */
  ask<K extends keyof C & string>(what: K, ask: C[K]['ask']): Promise<C[K]['answer']>;
  /** Ends the worker; what is still asked, and all that is asked later, rejects with the reason. */
  close(reason?: string): void;
}

export function createCaller<C extends Calls>(worker: Worker): Caller<C> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  let ended: string | undefined;

  function fail(message: string) {
    for (const { reject } of waiting.values()) reject(new Error(message));
    waiting.clear();
  }

  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const question = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.ok) question?.resolve(data.answer);
    else question?.reject(new Error(data.message));
  });
  // A script that cannot be loaded gives an event without a message.
  worker.addEventListener('error', ({ message }) => fail(message || 'the worker did not start'));

  return {
    ask(what, ask) {
      if (ended !== undefined) return Promise.reject(new Error(ended));
      const question = Promise.withResolvers<unknown>();
      waiting.set(++asked, question);
      worker.postMessage({ id: asked, what, ask } satisfies Question, []);
      // The worker answers each name with what its entry promises.
      return question.promise as Promise<C[typeof what]['answer']>;
    },
    close(reason = 'the worker was ended') {
      ended = reason;
      worker.terminate();
      fail(reason);
    },
  };
}

export type Handlers<C extends Calls> = {
  readonly [K in keyof C]: (ask: C[K]['ask']) => C[K]['answer'] | Promise<C[K]['answer']>;
};

/** The worker's end: answers every question with its handler, one after the other. */
export function answerCalls<C extends Calls>(handlers: Handlers<C>): void {
  let last: Promise<unknown> = Promise.resolve();
  self.addEventListener('message', ({ data }: MessageEvent<Question>) => {
    last = last.then(() => answer(data));
  });

  async function answer({ id, what, ask }: Question): Promise<void> {
    try {
      const found = await handlers[what as keyof C](ask as never);
      self.postMessage({ id, ok: true, answer: found } satisfies Answer, { transfer: [] });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      self.postMessage({ id, ok: false, message } satisfies Answer, { transfer: [] });
    }
  }
}
