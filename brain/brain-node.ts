import type { BrainPrompt } from '../edge/brain/contract/prompt.ts';
import type { BrainAnswer } from '../edge/brain/contract/reply.ts';
import { type Answering, answerPrompts } from '../edge/brain/contract/responder.ts';
import { baseTypeOf, LANG_MAIN } from '../edge/brain/contract/routing.ts';
import { joinBrain, type NodePresence, type Usage } from '../edge/discovery/contract/brain-node.ts';
import type { MessageLine } from '../edge/discovery/contract/message-line.ts';
import type { NodeMetadata } from '../edge/discovery/contract/node-message.ts';
import { promptTopic, TEXT_PROMPT_SHARE } from '../edge/discovery/contract/topics.ts';

/** A module's response to a prompt. */
type ModuleAnswer = Pick<BrainAnswer, 'outputs' | 'model'>;

/** A module of a brain node. */
export interface BrainModule {
  /** Announced metadata, such as the model. */
  readonly metadata: NodeMetadata;
  /** @throws Problem for a prompt that it cannot read */
  answer(prompt: BrainPrompt): Promise<ModuleAnswer>;
  /** Settles once pending prompts are answered, or after a time limit. */
  close(): Promise<void>;
}

/** Identity and location of a node. */
export interface NodePlace {
  readonly nodeId: string;
  readonly moduleType: string;
  readonly regionId: string;
  readonly host: string;
}

export interface BrainNode {
  /** Finishes pending prompts, announces the departure and closes the connection. */
  close(): Promise<void>;
}

interface BrainNodeOptions {
  readonly place: NodePlace;
  readonly line: MessageLine;
  readonly metadata: NodeMetadata;
  readonly answer: Answering;
  /** System usage for heartbeats. */
  readonly usage?: () => Usage;
  /** Called with failed sends and internal errors. */
  readonly onError: (error: unknown) => void;
}

/** Time limit of pending responses when a node closes. */
const GRACE_MS = 5_000;

/** Adapts a module to the responses of a node. */
export const answeringWith =
  ({ nodeId, moduleType }: NodePlace, module: BrainModule): Answering =>
  async (prompt) => {
    const began = performance.now();
    const made = await module.answer(prompt);
    const total_ms = performance.now() - began;
    return {
      kind: 'answer',
      answer: { node_id: nodeId, module_type: moduleType, ...made, total_ms },
    };
  };

/**
 * Subscribes to prompts first, then announces the node, so that it is reachable once it is visible.
 * @throws if the broker refuses its subscriptions
 */
export async function startBrainNode(options: BrainNodeOptions): Promise<BrainNode> {
  const { place, line, metadata, answer, usage = () => ({}), onError } = options;
  const { nodeId, moduleType, regionId, host } = place;
  let presence: NodePresence | undefined;
  let steps = 0;
  const isLanguage = baseTypeOf(moduleType) === LANG_MAIN;
  const responding = await answerPrompts({
    line,
    nodeId,
    onError,
    filters: [promptTopic(nodeId), ...(isLanguage ? [TEXT_PROMPT_SHARE] : [])],
    answer: async (prompt) => {
      const reply = await answer(prompt);
      steps += 1;
      return reply;
    },
    onLoad: (underWay) =>
      presence?.note({
        step_count: steps,
        active_task: underWay > 0,
        queue_depth: underWay,
      }),
  });
  presence = joinBrain({
    line,
    onError,
    node: { nodeId, moduleType, host, regionId, metadata },
    usage,
  });
  return {
    async close() {
      await responding.close(GRACE_MS);
      await presence.leave().catch(onError);
      await line.end();
    },
  };
}
