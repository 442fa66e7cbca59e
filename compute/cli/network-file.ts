import { readFile } from 'node:fs/promises';
import {
  balancedNetwork,
  EngineError,
  izhikevichNetwork,
  type NeuronModel,
  parseDescription,
  parseJson,
  type SimulationDescription,
} from '../../engine/index.ts';

/** Networks that come along, by what is typed for a file. */
const NETWORKS: Readonly<Record<string, () => SimulationDescription>> = {
  izhikevich: () => izhikevichNetwork(),
  balanced: () => balancedNetwork(),
};
export const READY = Object.keys(NETWORKS);

/** Reads the description of a network. Throws what `fs` throws, and EngineError `invalid-setting`. */
export async function readDescription(
  name: string,
  seed?: number,
  models: readonly NeuronModel[] = [],
): Promise<SimulationDescription> {
  const ready = Object.hasOwn(NETWORKS, name) ? NETWORKS[name] : undefined;
  const plain: unknown = ready ? ready() : await readJsonFile(name);
  const seeded = typeof plain === 'object' && seed !== undefined ? { ...plain, seed } : plain;
  return parseDescription(seeded, models);
}

/** The value of a file of JSON. Throws what `fs` throws, and EngineError `invalid-setting`. */
export async function readJsonFile(name: string): Promise<unknown> {
  const text = await readFile(name, 'utf8');
  try {
    return parseJson(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError('invalid-setting', `${name} is no JSON: ${reason}`);
  }
}
