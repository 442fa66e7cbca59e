import { modelOf } from '../stored-model.ts';
import type { DistillationRecord } from '../../checkpoint/training-state.ts';
import { tokenizerFile } from '../../checkpoint/tokenizer-bundle.ts';
import type { Corpus } from '../../data/corpus.ts';
import { type Tokenizer, unitOf } from '../../data/tokenizer.ts';
import { EngineError } from '../../errors.ts';
import type { Distillation, LossRule } from '../language/loss-rule.ts';
import { transformerFromSpec } from './spec.ts';
import { frozenLogits, type FrozenTransformer } from './teacher.ts';
import { distillationLoss, softmaxRows } from '../../ops/distillation.ts';
import { parametersDigest } from '../../train/local-sgd.ts';
import type { TrainingOptions } from '../family.ts';

/** Half of each: the text keeps the student from learning the teacher's mistakes alone. */
export const defaultDistillation = { weight: 0.5, temperature: 2 } as const;

/**
 * The loss of a run that learns from a teacher, whose answers are computed on the same device in the same
 * program; undefined where it has none. Throws EngineError `invalid-setting` for a weight or temperature
 * that cannot be, `checkpoint-mismatch` for a teacher that cannot teach on this text, or another one than
 * that of the run that goes on.
 */
export function distillationOf(
  { distillation, resume }: Pick<TrainingOptions, 'distillation' | 'resume'>,
  corpus: Corpus,
  sequence: number,
): LossRule | undefined {
  // A model that is learned further on other text begins anew.
  const held = resume && resume.state.step > 0 ? resume.execution.distillation : undefined;
  checkSameDistillation(held, distillation && recordOf(distillation));
  if (!distillation) return undefined;
  const { weight, temperature } = distillation;
  checkDistillation(distillation);
  const teacher = teacherFor(distillation, corpus, sequence);
  return (graph, logits, { ids, targets }, history) => {
    const said = frozenLogits(graph, teacher, { ids, sequence });
    const lesson = { teacher: softmaxRows(graph, said, temperature), targets };
    return distillationLoss(graph, logits, lesson, { ...history, temperature, blend: weight });
  };
}

/** Of the teacher, for checkpoints. */
export function recordOf({ teacher, weight, temperature }: Distillation): DistillationRecord {
  return { teacher: parametersDigest(teacher.values), weight, temperature };
}

function checkDistillation({ weight, temperature }: Distillation): void {
  if (!(weight >= 0 && weight <= 1)) {
    refuse('invalid-setting', `distill_weight is ${weight}: expected a number from 0 to 1`);
  }
  if (!(temperature > 0 && temperature < Number.POSITIVE_INFINITY)) {
    refuse('invalid-setting', `temperature is ${temperature}: expected a positive number`);
  }
}

function teacherFor(
  { teacher }: Distillation,
  { tokenizer, name }: Corpus,
  sequence: number,
): FrozenTransformer {
  const stored = modelOf(teacher, 'standard_transformer');
  const structure = transformerFromSpec(stored.spec);
  const [known, read] = [stored.tokenizer, tokenizer].map(describeTokenizer);
  if (known !== read) {
    refuse(
      'checkpoint-mismatch',
      `the teacher has ${known}, but the student of ${name} has ${read}: expected the same`,
    );
  }
  if (structure.sequence < sequence) {
    refuse(
      'checkpoint-mismatch',
      `the teacher reads ${structure.sequence} tokens: expected at least seq_len ${sequence}`,
    );
  }
  const { layout, values } = stored;
  return { structure, layout, values };
}

function describeTokenizer(tokenizer: Tokenizer): string {
  const { digest } = tokenizerFile(tokenizer);
  return `${tokenizer.size} ${unitOf(tokenizer)} (tokenizer.json with the sha256 ${digest})`;
}

function checkSameDistillation(
  held: DistillationRecord | undefined,
  given: DistillationRecord | undefined,
): void {
  if (held === undefined) return;
  const names = ['teacher', 'weight', 'temperature'] as const;
  for (const name of names) {
    if (given?.[name] === held[name]) continue;
    const found = given ? `${name} ${given[name]}` : 'no teacher';
    refuse(
      'checkpoint-mismatch',
      `the checkpoint learned with ${name} ${held[name]}, but ${found} was given`,
    );
  }
}

function refuse(code: 'invalid-setting' | 'checkpoint-mismatch', message: string): never {
  throw new EngineError(code, message);
}
