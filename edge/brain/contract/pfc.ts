import { PROBLEMS } from '../../contract/problem.ts';
import { Problem } from '../../contract/refusal.ts';
import { Attempts, type FinalReply, type Outcome, type Waiting } from './requester.ts';
import type { BrainLoadBalancer } from './load-balancer.ts';
import { type BrainPrompt, modalitiesOf, targetOf } from './prompt.ts';
import type { BrainReply, BrainRoute, Hop } from './reply.ts';
import { baseTypeOf, type RouteChoice } from './routing.ts';

interface PfcOptions {
  readonly nodeId: string;
  readonly regionId: string;
  readonly balancer: BrainLoadBalancer;
  /**
   * Sends to a topic at a region's broker, and waits for the reply. @throws where the broker
   * refuses
   */
  readonly send: (
    where: { readonly regionId: string; readonly topic: string },
    prompt: BrainPrompt,
    waiting: Waiting,
  ) => Promise<Outcome>;
  /** Generates the id of a route. */
  readonly makeId: () => string;
  /** Called with the route of every prompt, answered or not. */
  readonly onRoute?: (route: BrainRoute) => void;
  /** The time limit for a node to accept a prompt. */
  readonly takeMs?: number;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** As long as a node may be silent before it counts as inactive. */
export const TAKE_MS = 5_000;
/** A prompt is retried once, at another node. */
const TRIES = 2;

/** One attempt and its outcome. */
interface Tried {
  readonly choice: RouteChoice;
  readonly hop: Hop;
  readonly reply: FinalReply | undefined;
}

interface Sending {
  readonly choice: RouteChoice;
  readonly where: { readonly regionId: string; readonly topic: string };
  readonly leftMs: number;
}

/**
 * The prefrontal cortex of a brain: it has each prompt answered by the right module, and reports
 * the route.
 */
export class Pfc {
  readonly #options: PfcOptions;
  readonly #now: () => number;
  readonly #attempts = new Attempts();

  constructor(options: PfcOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * The module's reply, or why there is none; with the route in either case.
   *
   * @throws Problem validation_failed where a PFC is the target
   */
  async ask(prompt: BrainPrompt): Promise<FinalReply> {
    const target = targetOf(prompt);
    if (baseTypeOf(target) === 'pfc') {
      throw new Problem('validation_failed', `target is ${target}: expected a module that answers`);
    }
    const began = this.#now();
    const tries: Tried[] = [];
    do {
      const leftMs = began + prompt.timeout_ms - this.#now();
      tries.push(await this.#try(prompt, target, { leftMs, tries }));
    } while (tries.length < TRIES && mayTryAgain(tries) && this.#now() < began + prompt.timeout_ms);
    const route = this.#routeOf(prompt, target, { tries, began });
    this.#options.onRoute?.(route);
    const reply = tries.at(-1)?.reply;
    if (reply) return { ...reply, route };
    const refusal = { code: 'upstream_timeout', detail: silenceOf(tries) };
    return { kind: 'refused', node_id: this.#options.nodeId, refusal, route };
  }

  /** A node left: its requests are aborted at once, and retried elsewhere. */
  nodeLeft(nodeId: string): void {
    this.#options.balancer.fault(nodeId);
    this.#attempts.nodeLeft(nodeId);
  }

  async #try(
    prompt: BrainPrompt,
    target: string,
    { leftMs, tries }: { readonly leftMs: number; readonly tries: readonly Tried[] },
  ): Promise<Tried> {
    const choice = this.#choose(prompt, target, tries);
    const where = { regionId: choice.regionId ?? this.#options.regionId, topic: choice.topic };
    const began = this.#now();
    const outcome = await this.#send(prompt, { choice, where, leftMs });
    const hop = hopOf(choice, where, { outcome, tookMs: this.#now() - began });
    // A node that has left is counted when its message arrives.
    if (choice.node && hop.status === 'silent') this.#options.balancer.fault(choice.node.node_id);
    return { choice, hop, reply: outcome.status === 'replied' ? outcome.reply : undefined };
  }

  #choose(prompt: BrainPrompt, target: string, tries: readonly Tried[]): RouteChoice {
    const { balancer } = this.#options;
    const { region_priority: regionPriority } = prompt;
    balancer.refreshFromDiscovery();
    const tried = new Set(tries.flatMap(({ hop }) => hop.node_id ?? []));
    return balancer.route(target, { tried, ...(regionPriority && { regionPriority }) });
  }

  async #send(prompt: BrainPrompt, { choice, where, leftMs }: Sending): Promise<Outcome> {
    const { balancer, send, takeMs = TAKE_MS } = this.#options;
    const attempt = this.#attempts.begin();
    const ends: (() => void)[] = [];
    const at = (nodeId: string) => {
      attempt.at(nodeId);
      ends.push(balancer.begin(nodeId));
    };
    if (choice.node) at(choice.node.node_id);
    // The node that takes a fallback prompt is only known once it accepts.
    const onTaken = choice.node ? () => {} : at;
    const waiting = { takeMs, answerMs: leftMs, signal: attempt.signal, onTaken };
    const outcome = await send(where, prompt, waiting).catch(unsent);
    for (const end of [...ends, attempt.end]) end();
    return outcome;
  }

  #routeOf(
    prompt: BrainPrompt,
    target: string,
    { tries, began }: { readonly tries: readonly Tried[]; readonly began: number },
  ): BrainRoute {
    const { nodeId, regionId, makeId } = this.#options;
    const hops = tries.map(({ hop }) => hop);
    const last = tries.at(-1);
    const reply = last?.reply;
    return {
      route_id: makeId(),
      at: new Date(began).toISOString(),
      pfc: { node_id: nodeId, region_id: regionId },
      modalities: [...modalitiesOf(prompt)],
      target,
      base_type: baseTypeOf(target),
      status: reply ? (reply.kind === 'answer' ? 'answered' : 'refused') : 'silent',
      node_id: reply?.kind === 'answer' ? reply.answer.node_id : null,
      fallback: last?.hop.fallback ?? false,
      reason: hops.map(sentenceOf).join('; '),
      hops,
      considered: [...(last?.choice.considered ?? [])],
      total_ms: this.#now() - began,
    };
  }
}

const unsent = (error: unknown): Outcome => ({
  status: 'silent',
  nodeId: null,
  takenMs: null,
  detail: `it could not be sent: ${error instanceof Error ? error.message : String(error)}`,
});

function hopOf(
  choice: RouteChoice,
  { regionId, topic }: { readonly regionId: string; readonly topic: string },
  { outcome, tookMs }: { readonly outcome: Outcome; readonly tookMs: number },
): Hop {
  const base = {
    region_id: regionId,
    topic,
    fallback: choice.fallback,
    reason: choice.reason,
    taken_ms: outcome.takenMs,
    total_ms: tookMs,
  };
  const intended = choice.node?.node_id ?? null;
  if (outcome.status !== 'replied') {
    const { status, nodeId, detail } = outcome;
    return { ...base, node_id: nodeId ?? intended, status, detail };
  }
  const { reply } = outcome;
  if (reply.kind === 'answer') {
    return { ...base, node_id: reply.answer.node_id, status: 'answered', detail: null };
  }
  return { ...base, node_id: reply.node_id, status: 'refused', detail: reply.refusal.detail };
}

/** Outcomes that another node may improve on: silence, and transient refusals. */
function mayTryAgain(tries: readonly Tried[]): boolean {
  const reply: BrainReply | undefined = tries.at(-1)?.reply;
  if (!reply) return true;
  if (reply.kind !== 'refused') return false;
  const kind = Object.entries(PROBLEMS).find(([code]) => code === reply.refusal.code)?.[1];
  return kind !== undefined && 'retryable' in kind;
}

function sentenceOf({ reason, status, detail }: Hop): string {
  return status === 'answered' ? reason : `${reason}, but ${detail}`;
}

function silenceOf(tries: readonly Tried[]): string {
  const hops = tries.map(({ hop }) => `${hop.node_id ?? hop.topic}: ${hop.detail}`);
  return `No node answered (${hops.join('; ')}).`;
}
