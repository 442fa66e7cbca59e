import { randomId } from '../../contract/random-id.ts';
import type { MessageLine } from '../../discovery/contract/message-line.ts';
import { replyTopic } from '../../discovery/contract/topics.ts';
import { type BrainReply, parseReply } from './reply.ts';

/** A request in flight. */
interface Attempt {
  /** Aborted when its node leaves. */
  readonly signal: AbortSignal;
  /** Assigns it to a node. */
  at(nodeId: string): void;
  end(): void;
}

/** Requests in flight by node, so that those of a node that leaves can be aborted at once. */
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

  /** Runs a request that stays at one node. */
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

/** The outcome of a request: a reply, a timeout, or an abort. */
export type Outcome =
  | { readonly status: 'replied'; readonly reply: FinalReply; readonly takenMs: number | null }
  | {
      readonly status: 'silent' | 'left';
      /** The node that had accepted it. */
      readonly nodeId: string | null;
      readonly takenMs: number | null;
      readonly detail: string;
    };

export interface Patience {
  /** The time limit for acceptance. */
  readonly takeMs: number;
  /** The time limit for the reply, from the beginning. */
  readonly answerMs: number;
}

export interface Waiting extends Patience {
  /** Its reason says why the request is aborted. */
  readonly signal?: AbortSignal;
  /** Called with the node that accepted. */
  readonly onTaken?: (nodeId: string) => void;
}

/** Requests in flight, identified by their correlation data. Sending them is the caller's task. */
export class Replies {
  readonly #waiting = new Map<string, (reply: BrainReply) => void>();

  /** Handles a message on the reply topic. */
  receive(correlation: Uint8Array | undefined, payload: Uint8Array): void {
    const waiting = correlation && this.#waiting.get(new TextDecoder().decode(correlation));
    const reply = waiting && parseReply(payload);
    if (reply) waiting(reply);
  }

  /** Awaits the reply to what `send` sends. @throws what `send` throws */
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

/** Sends requests over a line. */
export interface Requester {
  request(topic: string, payload: string, options: Waiting): Promise<Outcome>;
  close(): void;
}

/** Subscribes to this client's reply topic. @throws where the broker refuses the subscription */
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
