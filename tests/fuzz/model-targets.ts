import { packCheckpoint } from '../../engine/checkpoint/checkpoint.ts';
import { unpackTraining } from '../../engine/models/stored-model.ts';
import { decodeJson, encodeJson, withManifest } from '../../engine/checkpoint/files.ts';
import { decodeSafetensors, encodeSafetensors } from '../../engine/checkpoint/safetensors.ts';
import { readTokenizer, tokenizerFile } from '../../engine/checkpoint/tokenizer-bundle.ts';
import { createBpeTokenizer } from '../../engine/data/tokenizers/bpe-tokenizer.ts';
import { createCharacterTokenizer } from '../../engine/data/tokenizers/character-tokenizer.ts';
import { trainBpe } from '../../engine/data/tokenizers/train-bpe.ts';
import { readNir, writeNir } from '../../engine/nir/graph-file.ts';
import { isTextSet, isTreeGroup, type TreeEntry, type TreeGroup } from '../../engine/nir/graph.ts';
import { planNir } from '../../engine/nir/plan.ts';
import { createBuiltInPlugins } from '../../engine/plugins/builtin/index.ts';
import { parseMetadata } from '../../engine/plugins/metadata.ts';
import { izhikevichNetwork } from '../../engine/simulator/networks.ts';
import { parseDescription } from '../../engine/simulator/parse-description.ts';
import { decodeDelta, encodeDelta } from '../../engine/train/delta-file.ts';
import { chain, lif, tensor } from '../engine/nir-graphs.ts';
import { storedSettings, storedTraining } from '../engine/stored-model.ts';
import { isEngineError as isRefusal } from './data-targets.ts';
import { jsons, type Target, textOf } from './target.ts';

/** The text that each tokenizer encodes: letters, numbers, spaces, signs and Japanese. */
const SAMPLE = `${"It's 1234 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!  雨の夜に駅に着いた。\n".repeat(3)}é`;

async function tokenizers(): Promise<Uint8Array[]> {
  async function* sample() {
    yield SAMPLE;
  }
  const bpe = createBpeTokenizer(await trainBpe(sample(), { vocabulary: 270 }));
  const characters = createCharacterTokenizer(SAMPLE);
  const ours = [bpe, characters].map((one) => tokenizerFile(one).bytes);
  // As others write it: a pattern of their own, added tokens, merges as pairs.
  const foreign = JSON.parse(textOf(ours[0]!)) as Record<string, unknown>;
  foreign['added_tokens'] = [{ id: 0, content: '<|end|>' }];
  foreign['pre_tokenizer'] = {
    type: 'Sequence',
    pretokenizers: [
      {
        ...{ type: 'Split', behavior: 'Isolated', invert: false },
        pattern: { Regex: "'s|'t| ?\\p{L}+| ?\\p{N}{1,3}|\\s+(?!\\S)|\\s+" },
      },
      { type: 'ByteLevel', add_prefix_space: false, use_regex: false },
    ],
  };
  foreign['normalizer'] = {
    type: 'Sequence',
    normalizers: [{ type: 'NFC' }, { type: 'Lowercase' }],
  };
  const old = { name: 'character', revision: '1', characters: [...new Set(SAMPLE)].toSorted() };
  return [...ours, ...jsons(foreign, old)];
}

/** The files of a checkpoint in one value: those of JSON as they are, the others by the seed. */
const stored = packCheckpoint(storedTraining({ ...storedSettings, width: 3, blocks: 1 }));
const JSON_FILES = ['model_spec.json', 'config.json', 'training_state.json'] as const;

function checkpointOf(bytes: Uint8Array) {
  const changed = decodeJson('case', bytes) as Record<string, unknown> | null;
  const files = new Map(stored);
  files.delete('manifest.json');
  for (const name of JSON_FILES) files.set(name, encodeJson(changed?.[name] ?? null));
  return withManifest(files);
}

/** A tree of groups and sets as JSON, and back: sets hold as many numbers as their shape says. */
type Plain = { readonly [name: string]: Plain } | readonly [shape: unknown, values: unknown];

function plainOf(entry: TreeEntry): Plain {
  if (isTreeGroup(entry)) {
    return Object.fromEntries(Array.from(entry, ([name, inner]) => [name, plainOf(inner)]));
  }
  if (isTextSet(entry)) return [entry.shape, entry.texts];
  return [entry.shape, Array.from(entry.data as Iterable<number | bigint>, Number)];
}

const MAX_NUMBERS = 10_000;

function treeOf(value: unknown): TreeEntry {
  if (!Array.isArray(value)) {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return new Map(entries.map(([name, inner]) => [name, treeOf(inner)]));
  }
  const [axes, given] = value as [unknown, unknown];
  const shape = (Array.isArray(axes) ? axes : []).filter(
    (axis): axis is number => Number.isInteger(axis) && (axis as number) >= 0,
  );
  const values: unknown[] = Array.isArray(given) ? given : [given];
  const size = shape.reduce((product, axis) => product * axis, 1);
  const length = Math.min(size, MAX_NUMBERS);
  const sized = size === length ? shape : [length];
  const all = Array.from({ length }, (_, i) => values[i % Math.max(1, values.length)]);
  if (typeof values[0] === 'string') return { shape: sized, texts: all.map(String) };
  return { shape: sized, data: Float64Array.from(all, Number) };
}

const network = writeNir({
  version: '1.0',
  graph: chain(
    [4],
    {
      affine: { type: 'Affine', weight: tensor([3, 4], 0.5), bias: tensor([3], 0) },
      lif: lif(3),
      inner: chain([3], { scale: { type: 'Scale', scale: tensor([3], 2) } }, [3]),
      delay: { type: 'Delay', delay: tensor([3], 0.002) },
    },
    [3],
  ),
});
const pictures = writeNir({
  version: '1.0',
  graph: chain(
    [1, 6, 6],
    {
      conv: {
        ...{ type: 'Conv2d', weight: tensor([2, 1, 3, 3], 0.1), bias: tensor([2], 0) },
        ...{ stride: [1, 1], padding: [1, 1], dilation: [1, 1], groups: 1 },
      },
      pool: { type: 'SumPool2d', kernel_size: [2, 2], stride: [2, 2], padding: [0, 0] },
      flatten: { type: 'Flatten', start_dim: 0, end_dim: -1 },
    },
    [18],
  ),
});

/** Readers of models and of what describes them. */
export const modelTargets: readonly Target[] = [
  {
    name: 'safetensors',
    seeds: () => [
      encodeSafetensors({
        tensors: new Map([
          ['a', { dtype: 'F32', shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) }],
          ['b', { dtype: 'I8', shape: [3], data: Int8Array.of(1, 2, 3) }],
          ['none', { dtype: 'F16', shape: [0], data: new Uint16Array() }],
        ]),
        metadata: { format: 'spikegrid' },
      }),
    ],
    read: (bytes) => decodeSafetensors(bytes, 'model.safetensors'),
    isRefusal,
  },
  {
    name: 'delta',
    seeds: () => [
      encodeDelta({ kind: 'float32', values: Float32Array.of(1, -2, 3) }),
      encodeDelta({ kind: 'int8', values: Int8Array.of(1, 2, 3), scales: Float32Array.of(0.5) }),
    ],
    read: (bytes) => decodeDelta(bytes, 'delta', 3),
    isRefusal,
  },
  {
    name: 'checkpoint',
    form: 'json',
    seeds: () => {
      const files = JSON_FILES.map((name) => [name, decodeJson(name, stored.get(name)!)]);
      return jsons(Object.fromEntries(files));
    },
    read: (bytes) => unpackTraining(checkpointOf(bytes)),
    isRefusal,
  },
  {
    name: 'tokenizer',
    form: 'json',
    seeds: tokenizers,
    read(bytes) {
      const tokenizer = readTokenizer(bytes);
      const encoder = tokenizer.openEncoder();
      return [encoder.push(SAMPLE), encoder.end()];
    },
    isRefusal,
  },
  {
    name: 'NIR graph',
    form: 'json',
    seeds: () => jsons(plainOf(network), plainOf(pictures)),
    read(bytes) {
      const tree = treeOf(decodeJson('case', bytes));
      const { graph } = readNir(isTreeGroup(tree) ? tree : (new Map() as TreeGroup));
      return planNir(graph, { dt: 0.001, reset: 'value' });
    },
    isRefusal,
  },
  {
    name: 'simulated network',
    form: 'json',
    seeds: () => jsons(izhikevichNetwork({ excitatory: 4, inhibitory: 2, seed: 1 })),
    read: (bytes) => parseDescription(decodeJson('case', bytes)),
    isRefusal,
  },
  {
    name: 'plugin metadata',
    form: 'json',
    seeds: () =>
      jsons(
        ...createBuiltInPlugins()
          .slice(0, 8)
          .map((plugin) => plugin.getMetadata()),
      ),
    read: (bytes) => parseMetadata(decodeJson('case', bytes)),
    isRefusal,
  },
];
