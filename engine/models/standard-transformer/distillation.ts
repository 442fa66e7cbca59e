import { tokenizerFile } from '../../checkpoint/tokenizer-bundle.ts';
import type { DistillationRecord } from '../../checkpoint/training-state.ts';
import type { Corpus } from '../../data/corpus/corpus.ts';
import { type Tokenizer, unitOf } from '../../data/tokenizers/tokenizer.ts';
import { EngineError } from '../../errors.ts';
import type { Graph } from '../../graph/graph.ts';
import { type ParameterLayout, parameterValues } from '../../graph/parameters.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { distillationLoss, softmaxRows } from '../../ops/distillation.ts';
import { softmaxAttention } from '../../ops/softmax-attention.ts';
import { ngramSpecIn } from '../../ngrams/stored.ts';
import { parametersDigest } from '../../train/local-sgd.ts';
import type { TrainingOptions } from '../family.ts';
import { addPrior } from '../language/ngram-prior.ts';
import type { Distillation, LossRule } from '../language/loss-rule.ts';
import { modelOf } from '../stored-model.ts';
import { transformerFromSpec } from './family.ts';
import { transformerLogits } from './forward.ts';
import { placedBy } from './reading-programs.ts';
import type { TransformerStructure } from './structure.ts';

/** Half of each: the text keeps the student from learning the teacher's mistakes alone. */
export const defaultDistillation = { weight: 0.5, temperature: 2 } as const;

/**
 * The loss of a run that learns from a teacher, whose answers are computed on the same device in the same
 * program; undefined where it has none. Throws EngineError `invalid-setting` for a weight or temperature
 * that cannot be, `checkpoint-mismatch` for a teacher that cannot teach on this text, or another one than
 * that of the run that continues.
 */
export function distillationOf(
  { distillation, resume }: Pick<TrainingOptions, 'distillation' | 'resume'>,
  corpus: Corpus,
  {
    sequence,
    ngramOrder = 0,
  }: { readonly sequence: number; readonly ngramOrder?: number | undefined },
): LossRule | undefined {
  // A model trained further on other text starts anew.
  const held = resume && resume.state.step > 0 ? resume.execution.distillation : undefined;
  checkSameDistillation(held, distillation && recordOf(distillation));
  if (!distillation) return undefined;
  const { weight, temperature } = distillation;
  checkDistillation(distillation);
  const teacher = teacherFor(distillation, corpus, sequence);
  const hasTables = checkTables(distillation, corpus, ngramOrder);
  return (graph, logits, { ids, targets, prior }, history) => {
    const said = frozenLogits(graph, teacher, { ids, sequence });
    if (hasTables) addPrior(graph, said, prior);
    const soft = { teacher: softmaxRows(graph, said, temperature), targets };
    return distillationLoss(graph, logits, soft, { ...history, temperature, blend: weight });
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

/** Whether a teacher has tables. They have to be those of the student, whose program is told what they say. */
function checkTables({ teacher }: Distillation, { digest, name }: Corpus, asked: number): boolean {
  const tables = ngramSpecIn(teacher.spec);
  if (!tables) return false;
  const { order, text_sha256 } = tables;
  if (order === asked && text_sha256 === digest) return true;
  return refuse(
    'checkpoint-mismatch',
    `the teacher has n-gram tables with ngram_order ${order} of a text with the sha256 ${text_sha256}, ` +
      `the student of ${name} (sha256 ${digest}) ngram_order ${asked}: expected the same`,
  );
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

/** A trained transformer that learns no more: its parameters become constants of a program. */
export interface FrozenTransformer {
  readonly structure: TransformerStructure;
  readonly layout: ParameterLayout;
  /** The parameter block. */
  readonly values: Float32Array;
}

/**
 * The predictions of a trained transformer within the program of another model: logits `[1, rows, vocabulary]`
 * for token ids `u32[rows]`, sequences of `sequence` tokens one after another, at most as long as its own.
 */
function frozenLogits(
  graph: Graph,
  { structure, layout, values }: FrozenTransformer,
  { ids, sequence }: { readonly ids: Tensor; readonly sequence: number },
): Tensor {
  const rows = ids.shape[0] ?? 0;
  const numbers = Uint32Array.from({ length: rows }, (_, row) => row % sequence);
  const places = graph.constant('places of the teacher', [rows], numbers);
  const parameter = (name: string) => {
    const found = layout.get(name);
    return graph.constant(
      `${name} of the teacher`,
      found.spec.shape,
      parameterValues(found, values),
    );
  };
  const mixing = {
    place: (tokens: Tensor, table: Tensor) => placedBy(graph, tokens, table, places),
    attend: (qkv: Tensor) => softmaxAttention(graph, qkv, { heads: structure.heads, sequence }),
  };
  return transformerLogits({ graph, structure, mixing, parameter }, ids);
}
