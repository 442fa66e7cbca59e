import { PluginName } from '../../edge/plugins/contract/plugin.ts';
import { EngineError } from '../../engine/index.ts';
import type { PluginManifest } from './manifest.ts';
import { confinementFault } from './sandbox.ts';

/** The names of plugins that whoever runs a host lets use the network. Nothing in a folder grants. */
export type Grants = ReadonlySet<string>;

const GRANTED = /^(.*)=network$/;

/** @throws EngineError invalid-setting for what is no `NAME=network` */
export function parseGrants(texts: readonly string[]): Grants {
  const names = texts.map((text) => {
    const name = PluginName.safeParse(GRANTED.exec(text)?.[1]);
    if (name.success) return name.data;
    throw new EngineError('invalid-setting', `--grant is "${text}", expected NAME=network`);
  });
  return new Set(names);
}

/**
 * Holds what a manifest asks for against what was granted. Node's own permissions know no network: what
 * needs Node is kept from it by a namespace of Linux, or may use it.
 *
 * @throws EngineError plugin-refused naming what to grant
 */
export async function refuseUngranted(
  { name, permissions }: PluginManifest,
  grants: Grants,
): Promise<void> {
  if (permissions.length === 0 || grants.has(name)) return;
  const how = `to let it, start the host with --grant ${name}=network`;
  if (permissions.includes('network')) {
    throw new EngineError(
      'plugin-refused',
      `it asks for the network, which was not granted; ${how}`,
    );
  }
  const fault = await confinementFault();
  if (fault === undefined) return;
  throw new EngineError(
    'plugin-refused',
    `it needs Node, which cannot be kept from the network here (${fault}); ${how}`,
  );
}
