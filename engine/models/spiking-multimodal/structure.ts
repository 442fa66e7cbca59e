import { checkPatches, type PrefixSources } from '../captioning/prefix.ts';
import { checkMelOptions } from '../../data/mel.ts';
import { EngineError } from '../../errors.ts';
import { expectWhole } from '../../ops/shapes.ts';
import {
  checkStructure,
  type ChronospikeStructure,
  geometricTau,
} from '../dense-chronospike/structure.ts';

/** What makes one spiking_multimodal model differ from another in shape or dynamics. */
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
