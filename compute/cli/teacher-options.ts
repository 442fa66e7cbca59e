import type { Command } from 'commander';
import {
  type Architecture,
  defaultDistillation,
  type Distillation,
  EngineError,
  type StoredTraining,
  unpackModel,
} from '../../engine/index.ts';
import { findCheckpoint, readCheckpoint } from '../checkpoints/checkpoint-folder.ts';
import { numberOption } from './numbers.ts';

/** The flags of a run that learns from a teacher, as commander parses them. */
export interface TeacherFlags {
  readonly teacher?: string | undefined;
  readonly distillWeight?: number;
  readonly temperature?: number;
}

/** The families that can learn from one. */
const STUDENTS: readonly Architecture[] = ['dense_chronospike', 'standard_transformer'];

export function teacherOptions(command: Command): Command {
  const { weight, temperature } = defaultDistillation;
  return command
    .option('--teacher <dir>', 'learn what a standard_transformer run or checkpoint says, too')
    .option(
      '--distill-weight <share>',
      `share of the teacher in the loss (default: ${weight})`,
      numberOption,
    )
    .option(
      '--temperature <t>',
      `divides the logits of teacher and student (default: ${temperature})`,
      numberOption,
    );
}

/** Opens the teacher where one is asked for; a run that goes on learns from it as before. Throws EngineError `invalid-setting` for flags that mean nothing. */
export async function openTeacher(
  { teacher, distillWeight, temperature }: TeacherFlags,
  student: Architecture,
  resume?: StoredTraining,
): Promise<Distillation | undefined> {
  if (teacher === undefined) {
    if (distillWeight !== undefined) refuse('--distill-weight was given: expected --teacher, too');
    if (temperature !== undefined) refuse('--temperature was given: expected --teacher, too');
    return undefined;
  }
  if (!STUDENTS.includes(student)) {
    refuse(`${student} learns from no teacher: expected ${STUDENTS.join(' or ')}`);
  }
  const lesson = resume?.execution.distillation ?? defaultDistillation;
  const stored = unpackModel(await readCheckpoint(await findCheckpoint(teacher)));
  return {
    teacher: stored,
    weight: distillWeight ?? lesson.weight,
    temperature: temperature ?? lesson.temperature,
  };
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
