import type { BasePlugin } from './base-plugin.ts';
import { configurationFaults, defaultsOf } from './configuration.ts';
import { disposeOf, done, type Outcome, type PluginLife, refusal } from './plugin-life.ts';
import { type PluginEntry, type PluginOrigin, readMetadata } from './plugin-registry.ts';
import { loaded } from './plugin-status.ts';
import { isInRange } from './dependencies.ts';

/** Another version of a plugin, and where it is from. */
interface Replacement {
  readonly next: BasePlugin;
  readonly origin: PluginOrigin;
}

/** Replaces a plugin once its successor has reached the same status; if that fails, the plugin stays. */
export async function replacePlugin(
  life: PluginLife,
  entry: PluginEntry,
  replacement: Replacement,
): Promise<Outcome> {
  const { next, origin } = replacement;
  const trial = trialOf(life, entry, replacement);
  const outcome = typeof trial === 'string' ? refusal(trial) : await catchUp(life, entry, trial);
  if (typeof trial === 'string' || !outcome.ok) {
    await disposeOf(next);
    const why = outcome.ok ? '' : outcome.reason;
    return refusal(`${entry.metadata.version} stays, as its successor was refused: ${why}`);
  }
  const { plugin } = entry;
  const { metadata, configuration, state, since } = trial;
  Object.assign(entry, { plugin: next, metadata, configuration, state, since, origin });
  await withoutFailing(() => plugin.deactivate());
  await disposeOf(plugin);
  entry.log.add('info', `version ${metadata.version} has taken over`);
  return done;
}

/** An entry for the successor, or the reason why it is not one. */
function trialOf(
  life: PluginLife,
  entry: PluginEntry,
  { next, origin }: Replacement,
): PluginEntry | string {
  const found = readMetadata(next);
  if (typeof found === 'string') return found;
  const { name, type } = entry.metadata;
  if (found.name !== name || found.type !== type) {
    return `it is ${found.name} (${found.type}), expected ${name} (${type})`;
  }
  for (const { metadata } of life.dependentsOf(entry)) {
    const range = metadata.dependencies[name] ?? '*';
    if (isInRange(found.version, range)) continue;
    return `${metadata.name} needs ${name} ${range}, but it is ${found.version}`;
  }
  const isFitting = configurationFaults(found.configuration, entry.configuration).length === 0;
  if (!isFitting) entry.log.add('warn', `its settings do not fit version ${found.version}`);
  const configured = isFitting ? entry.configuration : {};
  const configuration = { ...defaultsOf(found.configuration), ...configured };
  return { ...entry, plugin: next, metadata: found, origin, configuration, state: loaded };
}

/** Brings a successor as far as its predecessor is. */
async function catchUp(
  life: PluginLife,
  { state }: PluginEntry,
  trial: PluginEntry,
): Promise<Outcome> {
  if (state.status === 'LOADED') return done;
  const begun = await life.initialize(trial);
  return begun.ok && state.status === 'ACTIVE' ? life.activate(trial) : begun;
}

async function withoutFailing(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // It has been replaced: its errors no longer matter.
  }
}
