import type { Registry } from '../objects/registry-object.ts';
import type { Remote } from '../objects/remote.ts';
import type { Env } from '../env.ts';
import { ModelId } from '../contract/model.ts';
import { Problem } from '../http/problem.ts';

/** One object holds the whole registry: what it decides must be decided in one place. */
export function registryOf(env: Env): Remote<Registry> {
  // The runtime's own type of a stub refuses `unknown` inside of a model_spec, which is JSON and
  // crosses as it is.
  return env.REGISTRY.getByName('main') as unknown as Remote<Registry>;
}

/** The id in the path. One that no model can have is answered like one that no model has. */
export function modelIdOf({ params }: { readonly params: { readonly id: string } }): ModelId {
  const { id } = params;
  const parsed = ModelId.safeParse(id);
  if (parsed.success) return parsed.data;
  throw new Problem(
    'model_not_found',
    `There is no model ${JSON.stringify(id)}: ${parsed.error.issues[0]?.message}.`,
  );
}

export function modelNotFound(id: ModelId, version: string | undefined): Problem {
  const what = version === undefined ? `model ${id}` : `version ${version} of a model ${id}`;
  return new Problem('model_not_found', `There is no ${what}.`);
}
