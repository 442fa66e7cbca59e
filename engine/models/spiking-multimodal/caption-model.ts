import { layOutParameters } from '../../graph/parameters.ts';
import type { CaptionModel } from '../captioning/caption-model.ts';
import { multimodalLogits } from './forward.ts';
import { multimodalParameters } from './parameters.ts';
import { checkMultimodal, type MultimodalStructure } from './structure.ts';
import { prefixesOf } from '../captioning/prefix.ts';

/** Of the tokens that enter the trunk and of what leaves it: against learning captions by heart. */
const DROPOUT = 0.2;

/** The family as training and evaluation see it. Throws as `checkMultimodal`. */
export function captionModelOf(
  structure: MultimodalStructure,
): CaptionModel & { readonly structure: MultimodalStructure } {
  checkMultimodal(structure);
  return {
    structure,
    layout: layOutParameters(multimodalParameters(structure)),
    prefixes: prefixesOf(structure),
    sequence: structure.sequence,
    dropout: DROPOUT,
    logits: (graph, inputs, hooks) => multimodalLogits(graph, structure, inputs, hooks),
  };
}
