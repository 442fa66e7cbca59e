import { checkMelOptions } from '../../data/audio/mel.ts';
import { EngineError } from '../../errors.ts';
import type { ParameterSpec } from '../../graph/parameters.ts';
import { expectWhole } from '../../ops/shapes.ts';
import { checkPatches, type Prefix, prefixesOf, type PrefixSources } from '../captioning/prefix.ts';
import {
  checkStructure,
  chronospikeParameters,
  type ChronospikeStructure,
  geometricTau,
} from '../dense-chronospike/structure.ts';

/** Shape and dynamics of a spiking_multimodal model. */
export interface MultimodalStructure extends PrefixSources {
  /** The blocks that read prefix and caption. */
  readonly trunk: ChronospikeStructure;
  /** Tokens of a caption, its end included. */
  readonly sequence: number;
}

/** The reach of the slowest head, in lengths of a whole sequence: the end of a caption still sees the prefix. */
const REACH = 4;

/** Time constants of the heads, geometric from 2 tokens to well beyond the sequence. */
export function multimodalTau(heads: number, tokens: number): number[] {
  return geometricTau(heads, REACH * tokens);
}

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkMultimodal({ trunk, sequence, image, audio }: MultimodalStructure): void {
  checkStructure(trunk);
  expectWhole('spiking_multimodal', 'caption sequence length', sequence, 1);
  if (!image && !audio) refuse('there is no prefix: expected an image, a sound or both');
  if (audio) checkMelOptions(audio);
  if (image) checkPatches('spiking_multimodal', image);
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `spiking_multimodal: ${message}`);
}

/** Fraction of neurons expected to fire, as in the trunk. */
const EXPECTED_RATE = 0.17;
const EMBEDDING_DEVIATION = 0.1;

/**
 * The parameters of the trunk, D for the embedding of text, and for each prefix `F D + P D + D^2 + D` more
 * (F features, P tokens): the linear in front of its neurons, the place of each token, the linear behind the
 * neurons and the embedding of the modality. Frames of sound are normalised besides, 2 F.
 */
export function multimodalParameters(structure: MultimodalStructure): ParameterSpec[] {
  const { width } = structure.trunk;
  return [
    ...chronospikeParameters(structure.trunk),
    embedding('text.modality', [1, width]),
    ...prefixesOf(structure).flatMap((prefix) => prefixParameters(prefix, width)),
  ];
}

function prefixParameters(prefix: Prefix, width: number): ParameterSpec[] {
  const { modality, tokens, features } = prefix;
  const spikeFed = (EXPECTED_RATE * width) ** -0.5;
  return [
    ...(modality === 'audio'
      ? [constant('audio.norm.weight', [features], 1), constant('audio.norm.bias', [features], 0)]
      : []),
    normal(`${modality}.in.weight`, [features, width], features ** -0.5),
    normal(`${modality}.position.weight`, [tokens, width], EMBEDDING_DEVIATION),
    normal(`${modality}.out.weight`, [width, width], spikeFed),
    embedding(`${modality}.modality`, [width]),
  ];
}

function normal(name: string, shape: readonly number[], deviation: number): ParameterSpec {
  return { name, shape, initial: { kind: 'normal', deviation }, decayed: true };
}

function embedding(name: string, shape: readonly number[]): ParameterSpec {
  return { ...normal(name, shape, EMBEDDING_DEVIATION), decayed: false };
}

function constant(name: string, shape: readonly number[], value: number): ParameterSpec {
  return { name, shape, initial: { kind: 'constant', value }, decayed: false };
}
