import { openText } from '../../data/text-data.ts';
import type { ModelFamily, TextData } from '../../families/family.ts';
import { startTextRun } from '../../train/text-run.ts';
import { createTextGenerator } from '../dense-chronospike/generator.ts';
import { keptTensors, startFixedPart } from './kept.ts';
import { sparsePlan, traceSparseRun } from './plan.ts';
import { sparseSpecOf } from './spec.ts';

export const sparseFamily: ModelFamily<TextData> = {
  ...sparsePlan,
  openData: openText,
  createRun(options, { corpus }) {
    const traced = traceSparseRun(options.settings, options.controls, corpus.tokenizer.size);
    const { structure, fixed, shape, generate } = traced;
    return startTextRun(options, corpus, {
      ...traced,
      sequence: shape.sequence,
      timeSteps: 1,
      spec: (tokenizer) => sparseSpecOf(structure, shape.sequence, tokenizer),
      kept: keptTensors(structure, fixed),
      start: (player) => startFixedPart(player, structure, fixed),
      generator: (player) => createTextGenerator(player, generate, corpus.tokenizer),
    });
  },
};
