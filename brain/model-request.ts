import { type BrainPrompt, modalitiesOf } from '../edge/brain/contract/prompt.ts';
import { InferRequest } from '../edge/inference/contract/infer.ts';
import type { VersionChoice } from '../edge/registry/contract/model.ts';
import { parseBody } from '../edge/contract/parse.ts';
import { Problem } from '../edge/contract/refusal.ts';
import { Version } from '../edge/contract/semver.ts';
import type { Reads } from './node-types.ts';

/** A model of the registry, and which version of it. */
export type ModelChoice = { readonly modelId: string } & VersionChoice;

/** A model as it is named: an id, with a version or an alias behind an @. */
export function choiceOf(model: string): ModelChoice {
  const [modelId = '', chosen] = model.split('@');
  if (chosen === undefined) return { modelId };
  return Version.safeParse(chosen).success
    ? { modelId, version: chosen }
    : { modelId, alias: chosen };
}

/** What a model is asked for a prompt. @throws Problem validation_failed where it cannot read it */
export function requestOf(
  prompt: BrainPrompt,
  { choice, reads }: { readonly choice: ModelChoice; readonly reads: Reads },
): InferRequest {
  const { [reads]: input, config, timeout_ms } = prompt;
  if (input === undefined) {
    const given = modalitiesOf(prompt).join(', ');
    throw new Problem(
      'validation_failed',
      `${choice.modelId} reads ${reads}: expected ${reads} (got ${given}).`,
    );
  }
  const { modelId: model_id, version, alias } = choice;
  return parseBody(InferRequest, {
    model_id,
    config,
    timeout_ms,
    ...(version !== undefined && { version }),
    ...(alias !== undefined && { alias }),
    inputs: { [reads]: input },
  });
}
