import type { Conditions } from './changes.ts';
import type { Registry } from './object.ts';
import { MAIN, type Remote } from '../storage/remote.ts';
import type { Env } from '../env.ts';
import { ModelId, type VersionChoice } from './contract/model.ts';
import { Version } from '../contract/semver.ts';
import { Problem } from '../http/problem.ts';

/** One object holds the whole registry: what it decides must be decided in one place. */
export function registryOf(env: Env): Remote<Registry> {
  return env.REGISTRY.getByName<Registry>(MAIN);
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

export const aliasNotFound = (id: ModelId, alias: string) =>
  new Problem('alias_not_found', `The model ${id} has no alias ${alias}.`);

/** The refusal of a choice that means no version. */
export function choiceNotFound(
  id: ModelId,
  { version, alias }: VersionChoice,
  kind: 'no-version' | 'no-alias',
): Problem {
  return kind === 'no-alias' ? aliasNotFound(id, String(alias)) : modelNotFound(id, version);
}

/** The version a request means, of a team's models or of all where none is named. @throws Problem model_not_found or alias_not_found */
export async function versionOf(
  env: Env,
  id: ModelId,
  choice: VersionChoice,
  team: string | undefined,
): Promise<string> {
  const resolved = await registryOf(env).resolve(id, choice, team);
  if (resolved.kind === 'found') return resolved.version;
  throw choiceNotFound(id, choice, resolved.kind);
}

/** The version in the path. One that no model can have is answered like one that this model lacks. */
export function versionIn({ params }: { readonly params: { readonly version: string } }): Version {
  const parsed = Version.safeParse(params.version);
  if (parsed.success) return parsed.data;
  const shown = JSON.stringify(params.version.slice(0, 128));
  throw new Problem(
    'model_not_found',
    `There is no version ${shown}: ${parsed.error.issues[0]?.message}.`,
  );
}

/** Preconditions of a request. */
export const conditionsOf = ({ headers }: Request): Conditions => ({
  ifMatch: headers.get('if-match'),
  ifNoneMatch: headers.get('if-none-match'),
});

/** The refusal of a change that was made for another state. */
export function changedSince(what: string, etag: string | undefined): Problem {
  const now = etag === undefined ? 'It does not exist.' : `It has the ETag ${etag}.`;
  return new Problem('precondition_failed', `${what} is not as the request expects. ${now}`, {
    ...(etag !== undefined && { headers: { etag } }),
  });
}
