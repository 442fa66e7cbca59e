import type { BrainAnswered } from '../endpoints.ts';
import type { NodeInfo } from '../../discovery/contract/node.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { Problem } from '../../contract/refusal.ts';
import { TAKE_MS } from './pfc.ts';
import type { BrainPrompt } from './prompt.ts';
import type { FinalReply, Outcome, Patience } from './requester.ts';
import { chooseRoute } from './routing.ts';

/** A brain to which a prompt is given. */
export interface AskedBrain {
  readonly namespace: string;
  /** Lists the active PFCs: others may have joined during the first attempt. */
  nodes(): readonly NodeInfo[] | Promise<readonly NodeInfo[]>;
  /** Sends the prompt to a PFC, as JSON. */
  ask(pfc: NodeInfo, prompt: string, patience: Patience): Promise<Outcome>;
}

/** A PFC gets this much longer than its prompt, to report that no node replied. */
const GRACE_MS = 3_000;
const TRIES = 2;

/**
 * Has a prompt answered through a PFC, or another one where the first is silent.
 *
 * @throws Problem no_healthy_instance, upstream_timeout, upstream_error, or the PFC's refusal,
 * with the route
 */
export async function askPfc(brain: AskedBrain, prompt: BrainPrompt): Promise<BrainAnswered> {
  const began = Date.now();
  const tried = new Set<string>();
  const faults: string[] = [];
  const patience = { takeMs: TAKE_MS, answerMs: prompt.timeout_ms + GRACE_MS };
  while (tried.size < TRIES) {
    const pfc = pfcAmong(await brain.nodes(), prompt, tried);
    if (!pfc) break;
    tried.add(pfc.node_id);
    const outcome = await brain.ask(pfc, JSON.stringify(prompt), patience);
    if (outcome.status === 'replied') return answered(outcome.reply, began);
    faults.push(`${pfc.node_id}: ${outcome.detail}`);
  }
  if (faults.length === 0) {
    const detail = `No PFC of the brain ${brain.namespace} is active: expected a node of the type pfc.`;
    throw new Problem('no_healthy_instance', detail);
  }
  throw new Problem('upstream_timeout', `No PFC answered (${faults.join('; ')}).`);
}

function pfcAmong(
  nodes: readonly NodeInfo[],
  { region_priority: regionPriority }: BrainPrompt,
  tried: ReadonlySet<string>,
): NodeInfo | undefined {
  return chooseRoute(nodes, 'pfc', { tried, ...(regionPriority && { regionPriority }) }).node;
}

/** Refusals of nodes with the same meaning here; others are reported as a node's refusal. */
const HANDED_ON: readonly ProblemCode[] = ['validation_failed', 'overloaded', 'upstream_timeout'];

function answered(reply: FinalReply, began: number): BrainAnswered {
  const { route } = reply;
  if (!route) throw new Problem('upstream_error', 'What answered is no PFC: expected a route.');
  if (reply.kind === 'answer') {
    const gatewayMs = Math.max(0, Date.now() - began - route.total_ms);
    return { answer: reply.answer, route, gateway_ms: gatewayMs };
  }
  const { code, detail } = reply.refusal;
  const known = HANDED_ON.find((one) => one === code) ?? 'upstream_error';
  throw new Problem(known, detail, { members: { route } });
}
