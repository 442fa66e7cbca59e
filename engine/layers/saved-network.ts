import { decodeBlocks, encodeBlocks } from '../checkpoint/parameters-file.ts';
import { decodeSafetensors } from '../checkpoint/safetensors.ts';
import { parseJson, reasonOf } from '../data/files/json.ts';
import { EngineError } from '../errors.ts';
import { parameterValues } from '../graph/parameters.ts';
import { networkFrom } from './network-json.ts';
import type { Network } from './network.ts';

/** In the metadata of a saved model: version and network. */
const FORMAT = 'spikegrid.network';
const VERSION = '1';

/** Parameters of a network as one safetensors file, the network in its metadata as JSON. */
export function encodeNetwork(network: Network, values: Float32Array): Uint8Array<ArrayBuffer> {
  const metadata = { format: FORMAT, version: VERSION, network: JSON.stringify(network) };
  return encodeBlocks(network.layout, { '': values }, metadata);
}

interface Saved {
  readonly network: Network;
  /** The parameter block. */
  readonly values: Float32Array;
}

/**
 * Reads what `encodeNetwork` wrote. Throws EngineError `checkpoint-mismatch` for a file of something else,
 * `checkpoint-damaged` for one that cannot be read.
 */
export function decodeNetwork(bytes: Uint8Array, name = 'the file'): Saved {
  const { metadata } = decodeSafetensors(bytes, name);
  const { format, version, network: json = '' } = metadata;
  if (format !== FORMAT || version !== VERSION) {
    const found = format === undefined ? 'of no format' : `${format} ${version}`;
    throw new EngineError(
      'checkpoint-mismatch',
      `${name} is a safetensors file ${found}: expected ${FORMAT} ${VERSION}, as model.save() writes`,
    );
  }
  const network = networkOf(name, json);
  const { blocks } = decodeBlocks(network.layout, { name, bytes }, ['']);
  checkFinite(name, network, blocks['']);
  return { network, values: blocks[''] };
}

function checkFinite(name: string, { layout }: Network, values: Float32Array): void {
  for (const parameter of layout.parameters) {
    const numbers = parameterValues(parameter, values);
    const at = numbers.findIndex((number) => !Number.isFinite(number));
    if (at < 0) continue;
    throw new EngineError(
      'checkpoint-damaged',
      `${name}: ${parameter.spec.name} is ${numbers[at]} at ${at}: expected finite numbers`,
    );
  }
}

function networkOf(name: string, json: string): Network {
  try {
    return networkFrom(parseJson(json));
  } catch (error) {
    throw new EngineError('checkpoint-damaged', `${name}: its network: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
