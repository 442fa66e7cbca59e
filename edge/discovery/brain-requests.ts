import { Attempts, type Outcome, type Patience, Replies } from '../brain/contract/requester.ts';
import { BrainRoute } from '../brain/contract/reply.ts';
import type { Message } from './contract/mqtt/packet.ts';
import { promptTopic, replyTopic, routeTopic } from './contract/topics.ts';

/** A prompt for a node, as JSON. */
export interface Question extends Patience {
  readonly nodeId: string;
  readonly prompt: string;
}

/** The topic on which the broker itself receives replies. */
const OWN_REPLIES = replyTopic('$gateway');
const ROUTES = routeTopic('');

/** Connects HTTP with the nodes of a broker: prompts out, replies and the PFCs' routes in. */
export class BrainRequests {
  readonly #publish: (message: Message) => void;
  readonly #wake: () => void;
  readonly #replies = new Replies();
  readonly #attempts = new Attempts();
  /** Routes not yet written. */
  #routes: BrainRoute[] = [];

  /**
   * @param publish publishes a message as the broker itself
   * @param wake asks for `takeRoutes` to be called soon
   */
  constructor(publish: (message: Message) => void, wake: () => void) {
    this.#publish = publish;
    this.#wake = wake;
  }

  ask({ nodeId, prompt, takeMs, answerMs }: Question): Promise<Outcome> {
    const payload = new TextEncoder().encode(prompt);
    const publish = (correlationData: Uint8Array) =>
      this.#publish({
        topic: promptTopic(nodeId),
        payload,
        qos: 1,
        retain: false,
        properties: { responseTopic: OWN_REPLIES, correlationData },
      });
    return this.#attempts.during(nodeId, (signal) =>
      this.#replies.await(publish, { takeMs, answerMs, signal }),
    );
  }

  nodeLeft(nodeId: string): void {
    this.#attempts.nodeLeft(nodeId);
  }

  /** @returns whether the message was a reply or a route. A PFC may report its own routes only. */
  receive({ topic, payload, properties }: Message, clientId: string): boolean {
    if (topic === OWN_REPLIES) {
      this.#replies.receive(properties?.correlationData, payload);
      return true;
    }
    if (!topic.startsWith(ROUTES)) return false;
    const route = topic === routeTopic(clientId) ? routeIn(payload) : undefined;
    if (route?.pfc.node_id === clientId) this.#keep(route);
    return true;
  }

  /** The routes received since the last call. */
  takeRoutes(): readonly BrainRoute[] {
    const taken = this.#routes;
    this.#routes = [];
    return taken;
  }

  #keep(route: BrainRoute): void {
    this.#routes.push(route);
    this.#wake();
  }
}

/** The maximum size of a route, so that no client can fill the store. */
const MAX_ROUTE_BYTES = 32 * 1024;

function routeIn(payload: Uint8Array): BrainRoute | undefined {
  if (payload.length > MAX_ROUTE_BYTES) return undefined;
  try {
    return BrainRoute.safeParse(JSON.parse(new TextDecoder().decode(payload))).data;
  } catch {
    return undefined;
  }
}
