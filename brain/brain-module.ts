import type { BrainPrompt } from '../edge/brain/contract/prompt.ts';
import type { BrainAnswer } from '../edge/brain/contract/reply.ts';
import type { NodeMetadata } from '../edge/discovery/contract/node-message.ts';

/** What a module made of a prompt. */
export type ModuleAnswer = Pick<BrainAnswer, 'outputs' | 'model'>;

/** What a node of a brain can do. */
export interface BrainModule {
  /** What the node announces of it, such as its model. */
  readonly metadata: NodeMetadata;
  /** @throws Problem for what it cannot read */
  answer(prompt: BrainPrompt): Promise<ModuleAnswer>;
  /** Ends once what is under way is answered, or after a while. */
  close(): Promise<void>;
}
