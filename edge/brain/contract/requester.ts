import { randomId } from '../../contract/random-id.ts';
import type { MessageLine } from '../../discovery/contract/message-line.ts';
import { replyTopic } from '../../discovery/contract/topics.ts';
import { type BrainReply, parseReply } from './reply.ts';

/** A request under way. */
export interface Attempt {
  /** Aborted when a node it is at goes. */
  readonly signal: AbortSignal;
  /** It is at this node from now on. */
  at(nodeId: string): void;
  end(): void;
}

/** Requests under way at nodes, so that those of a node that goes can be given up at once. */
export class Attempts {
  readonly #byNode = new Map<string, Set<AbortController>>();

  begin(): Attempt {
    const attempt = new AbortController();
    const nodeIds: string[] = [];
    return {
      signal: attempt.signal,
      at: (nodeId) => {
        nodeIds.push(nodeId);
        this.#byNode.set(nodeId, (this.#byNode.get(nodeId) ?? new Set()).add(attempt));
      },
      end: () => {
        for (const nodeId of nodeIds) this.#remove(nodeId, attempt);
      },
    };
  }

  /** A request that is at one node from its beginning to its end. */
  async during<T>(nodeId: string, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const attempt = this.begin();
    attempt.at(nodeId);
    try {
      return await request(attempt.signal);
    } finally {
      attempt.end();
    }
  }

  nodeLeft(nodeId: string): void {
    for (const attempt of this.#byNode.get(nodeId) ?? []) attempt.abort(`${nodeId} has left`);
  }

  #remove(nodeId: string, attempt: AbortController): void {
    const attempts = this.#byNode.get(nodeId);
    attempts?.delete(attempt);
    if (attempts?.size === 0) this.#byNode.delete(nodeId);
  }
}

export type FinalReply = Exclude<BrainReply, { readonly kind: 'taken' }>;

/** How a request ended: with a reply, or without one in time, or because it was given up. */
export type Outcome =
  | { readonly status: 'replied'; readonly reply: FinalReply; readonly takenMs: number | null }
  | {
      readonly status: 'silent' | 'left';
      /** Who had taken it. */
      readonly nodeId: string | null;
      readonly takenMs: number | null;
      readonly detail: string;
    };

export interface Patience {
  /** How long it may take until somebody says that he has the request. */
  readonly takeMs: number;
  /** How long the answer may take, from the beginning. */
  readonly answerMs: number;
}

export interface Waiting extends Patience {
  /** Its reason says why the request is given up. */
  readonly signal?: AbortSignal;
  /** Told who has the request. */
  readonly onTaken?: (nodeId: string) => void;
}

/** Requests under way, told apart by their correlation data. How they are sent is the caller's. */
export class Replies {
  readonly #waiting = new Map<string, (reply: BrainReply) => void>();

  /** A message that came where answers are awaited. */
  receive(correlation: Uint8Array | undefined, payload: Uint8Array): void {
    const waiting = correlation && this.#waiting.get(new TextDecoder().decode(correlation));
    const reply = waiting && parseReply(payload);
    if (reply) waiting(reply);
  }

  /** Waits for what `send` asks for. @throws what `send` throws */
  async await(
    send: (correlation: Uint8Array) => void | Promise<void>,
    { takeMs, answerMs, signal, onTaken = () => {} }: Waiting,
  ): Promise<Outcome> {
    const id = randomId();
    const began = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    let [takenMs, nodeId]: [number | null, string | null] = [null, null];
    const giveUp = (status: 'silent' | 'left', detail: string) =>
      resolve({ status, nodeId, takenMs, detail });
    const untaken = setTimeout(
      () => giveUp('silent', `nobody took it within ${takeMs} ms`),
      Math.min(takeMs, answerMs),
    );
    const late = setTimeout(() => giveUp('silent', `no answer within ${answerMs} ms`), answerMs);
    const left = () => giveUp('left', String(signal?.reason));
    signal?.addEventListener('abort', left);
    this.#waiting.set(id, (reply) => {
      takenMs ??= performance.now() - began;
      clearTimeout(untaken);
      if (reply.kind !== 'taken') resolve({ status: 'replied', reply, takenMs });
      else if (nodeId === null) {
        nodeId = reply.node_id;
        onTaken(nodeId);
      }
    });
    try {
      Promise.resolve(send(new TextEncoder().encode(id))).catch(reject);
      return await promise;
    } finally {
      this.#waiting.delete(id);
      for (const timer of [untaken, late]) clearTimeout(timer);
      signal?.removeEventListener('abort', left);
    }
  }
}

/** Asks over a line. */
export interface Requester {
  request(topic: string, payload: string, options: Waiting): Promise<Outcome>;
  close(): void;
}

/** Takes answers on a topic of this client's own. @throws where the broker refuses the subscription */
export async function openRequester(line: MessageLine, clientId: string): Promise<Requester> {
  const own = replyTopic(clientId);
  const replies = new Replies();
  const close = line.onMessage((topic, payload, { correlation }) => {
    if (topic === own) replies.receive(correlation, payload);
  });
  await line.subscribe(own, 1);
  return {
    close,
    request: (topic, payload, options) =>
      replies.await(
        (correlation) =>
          line.publish(topic, payload, { qos: 1, reply: { topic: own, correlation } }),
        options,
      ),
  };
}
