import { Attempts, type Outcome, type Patience, Replies } from '../brain/contract/requester.ts';
import { BrainRoute } from '../brain/contract/reply.ts';
import type { Message } from './contract/mqtt/packet.ts';
import { promptTopic, replyTopic, routeTopic } from './contract/topics.ts';

/** A prompt for a node, as JSON. */
export interface Question extends Patience {
  readonly nodeId: string;
  readonly prompt: string;
}

/** Where the broker itself takes answers. */
const OWN_REPLIES = replyTopic('$gateway');
const ROUTES = routeTopic('');

/** The way from HTTP to the nodes of a broker: prompts out, answers and the PFCs' routes in. */
export class BrainRequests {
  readonly #publish: (message: Message) => void;
  readonly #wake: () => void;
  readonly #replies = new Replies();
  readonly #attempts = new Attempts();
  /** Not yet written. */
  #routes: BrainRoute[] = [];

  /**
   * @param publish sends a message as the broker itself
   * @param wake asks that `takeRoutes` be called soon
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

  /** Whether a message was for the door. A PFC tells its own routes only. */
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

  /** What came since the last time. */
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

/** What a route may take: a stranger must not fill the store. */
const MAX_ROUTE_BYTES = 32 * 1024;

function routeIn(payload: Uint8Array): BrainRoute | undefined {
  if (payload.length > MAX_ROUTE_BYTES) return undefined;
  try {
    return BrainRoute.safeParse(JSON.parse(new TextDecoder().decode(payload))).data;
  } catch {
    return undefined;
  }
}
