import type { MessageFacts, MessageLine } from '../../discovery/contract/message-line.ts';
import { parseBody } from '../../contract/parse.ts';
import { Problem, problemOf } from '../../contract/refusal.ts';
import { BrainPrompt } from './prompt.ts';
import type { BrainReply } from './reply.ts';
import type { FinalReply } from './requester.ts';

/** Handles a prompt. @throws Problem for a refusal */
export type Answering = (prompt: BrainPrompt) => Promise<FinalReply>;

interface ResponderOptions {
  readonly line: MessageLine;
  readonly nodeId: string;
  /** The node's topics; a shared one begins with $share. */
  readonly filters: readonly string[];
  readonly answer: Answering;
  /** More concurrent requests than this are refused. */
  readonly most?: number;
  /** Called at the beginning and the end of each request. */
  readonly onLoad?: (underWay: number) => void;
  /** Called for an internal error, and for a reply that could not be sent. */
  readonly onError?: (error: unknown) => void;
}

const MOST = 256;

/** A node that responds to prompts. */
interface Responding {
  /** Refuses new requests, waits for those in flight up to a time limit, and unsubscribes. */
  close(graceMs: number): Promise<void>;
}

/**
 * Responds to prompts on some topics: accepts first, then replies with the result.
 *
 * @throws where the broker refuses a subscription
 */
export async function answerPrompts(options: ResponderOptions): Promise<Responding> {
  const { line, filters } = options;
  const topics = new Set(filters.map((filter) => filter.replace(/^\$share\/[^/]+\//, '')));
  const responder = new Responder(options);
  const stop = line.onMessage((topic, payload, facts) => {
    if (topics.has(topic)) void responder.take(payload, facts);
  });
  for (const filter of filters) await line.subscribe(filter, 1);
  return {
    async close(graceMs) {
      await responder.drain(graceMs);
      stop();
    },
  };
}

class Responder {
  readonly #options: ResponderOptions;
  readonly #empty = Promise.withResolvers<void>();
  #underWay = 0;
  #isDraining = false;

  constructor(options: ResponderOptions) {
    this.#options = options;
  }

  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true;
    this.#count(0);
    const late = setTimeout(this.#empty.resolve, graceMs);
    await this.#empty.promise;
    clearTimeout(late);
  }

  /** A message without a reply address is ignored: from an MQTT 3 client, or retained. */
  async take(payload: Uint8Array, { responseTopic, correlation }: MessageFacts): Promise<void> {
    if (responseTopic === undefined || !correlation) return;
    const { line, nodeId, onError = () => {} } = this.#options;
    const reply = (what: BrainReply) =>
      line
        .publish(responseTopic, JSON.stringify(what), { qos: 1, correlation })
        .catch((error: unknown) => onError(error));
    this.#count(1);
    try {
      void reply({ kind: 'taken', node_id: nodeId });
      await reply(await this.#answer(payload));
    } finally {
      this.#count(-1);
    }
  }

  async #answer(payload: Uint8Array): Promise<BrainReply> {
    const { answer, nodeId, most = MOST, onError = () => {} } = this.#options;
    try {
      if (this.#isDraining) throw new Problem('draining', `${nodeId} is about to leave.`);
      if (this.#underWay > most) {
        throw new Problem(
          'overloaded',
          `${nodeId} works at ${most} prompts already, expected fewer.`,
        );
      }
      return await answer(parseBody(BrainPrompt, jsonOf(payload)));
    } catch (error) {
      const { code, message: detail } = problemOf(error);
      if (code === 'internal') onError(error);
      return { kind: 'refused', node_id: nodeId, refusal: { code, detail } };
    }
  }

  #count(change: 1 | 0 | -1): void {
    this.#underWay += change;
    this.#options.onLoad?.(this.#underWay);
    if (this.#isDraining && this.#underWay === 0) this.#empty.resolve();
  }
}

function jsonOf(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    throw new Problem('invalid_json', `A prompt of ${payload.length} bytes is no JSON.`);
  }
}
