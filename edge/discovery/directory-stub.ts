import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Env } from '../env.ts';
import type { Used } from '../http/ownership.ts';
import type { Remote } from '../storage/remote.ts';
import type { Brain, Shard } from './store.ts';

/** The calls of an object of Discovery that is named after a brain or a team alone. */
export interface Directory {
  regions(): readonly string[];
  addRegion(region: string): Promise<void>;
  claimBroker(shard: Shard, owner: string | undefined): Used | undefined;
  keepBroker(shard: Shard): void;
}

/** Teams share no brain, also where they call it the same. Team names and those of brains have no `~`. */
export const nameOf = ({ team, namespace }: Brain): string =>
  team === DEFAULT_TEAM ? namespace : `${team}~${namespace}`;

/** Knows in which regions a brain has had nodes. */
export const directoryOf = (env: Pick<Env, 'DISCOVERY'>, brain: Brain): Remote<Directory> =>
  directoryNamed(env, nameOf(brain));

/** Knows which brokers a team has. */
export const teamObject = (env: Pick<Env, 'DISCOVERY'>, team: string): Remote<Directory> =>
  directoryNamed(env, `~${team}`);

/** The directory of a brain by the name that backups know it by. */
export function directoryNamed(
  { DISCOVERY }: Pick<Env, 'DISCOVERY'>,
  name: string,
): Remote<Directory> {
  return DISCOVERY.getByName<Directory>(name);
}
