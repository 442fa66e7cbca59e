import type { BrainPrompt } from '../edge/contract/brain/prompt.ts';
import type { BrainAnswer } from '../edge/contract/brain/reply.ts';
import { type Answering, answerPrompts } from '../edge/contract/brain/responder.ts';
import { baseTypeOf, LANG_MAIN } from '../edge/contract/brain/routing.ts';
import { joinBrain, type NodePresence, type Usage } from '../edge/contract/discovery/brain-node.ts';
import type { MessageLine } from '../edge/contract/discovery/message-line.ts';
import type { NodeMetadata } from '../edge/contract/discovery/node-message.ts';
import { promptTopic, TEXT_PROMPT_SHARE } from '../edge/contract/discovery/topics.ts';

/** What a module made of a prompt. */
type ModuleAnswer = Pick<BrainAnswer, 'outputs' | 'model'>;

/** What a node of a brain can do. */
export interface BrainModule {
  /** What the node announces of it, such as its model. */
  readonly metadata: NodeMetadata;
  /** @throws Problem for what it cannot read */
  answer(prompt: BrainPrompt): Promise<ModuleAnswer>;
  /** Ends once what is under way is answered, or after a while. */
  close(): Promise<void>;
}

/** Who a node is, and where. */
export interface NodePlace {
  readonly nodeId: string;
  readonly moduleType: string;
  readonly regionId: string;
  readonly host: string;
}

export interface BrainNode {
  /** Answers what is under way and nothing more, says that it goes, and closes its line. */
  close(): Promise<void>;
}

interface BrainNodeOptions {
  readonly place: NodePlace;
  readonly line: MessageLine;
  readonly metadata: NodeMetadata;
  readonly answer: Answering;
  /** What heartbeats say of the machine. */
  readonly usage?: () => Usage;
  /** Told of what could not be sent, and of faults of ours. */
  readonly onError: (error: unknown) => void;
}

/** How long answers under way may take once a node is asked to go. */
const GRACE_MS = 5_000;

/** A module as what a node answers with. */
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
 * Listens to prompts first, then announces the node: who sees it can reach it.
 *
 * @throws where the broker refuses its subscriptions
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
