import {
  type ModelSpec,
  requireArchitecture,
  type StoredTraining,
} from '../checkpoint/checkpoint.ts';
import { preparationOf, type TextRecord, textRecordOf } from '../checkpoint/text-record.ts';
import type { TrainingState } from '../checkpoint/training-state.ts';
import { EngineError } from '../errors.ts';

/** The model and the data requested of a run that resumes. */
interface ResumeTarget {
  readonly spec: ModelSpec;
  /** The data, by name and SHA-256. */
  readonly data: Pick<TrainingState['data'], 'name' | 'sha256' | 'text'>;
}

/** Throws EngineError `checkpoint-mismatch` naming both sides where data or model is another one. */
export function checkResume(
  { state, spec }: StoredTraining,
  { spec: asked, data }: ResumeTarget,
): void {
  requireArchitecture(spec, asked.architecture);
  if (state.data.sha256 !== data.sha256) {
    mismatch(
      `the checkpoint was trained on ${state.data.name} (sha256 ${state.data.sha256}), ` +
        `but ${data.name} has the sha256 ${data.sha256}`,
    );
  }
  if (data.text) checkText(textRecordOf(preparationOf(state.data.text)), data.text);
  const stored = membersOf(spec);
  for (const [name, value] of Object.entries(membersOf(asked))) {
    if (stored[name] === value) continue;
    mismatch(`the checkpoint has ${name} ${stored[name]}, the settings ask for ${value}`);
  }
}

/** The same bytes read in another way are another text. */
function checkText(stored: TextRecord, asked: TextRecord): void {
  for (const name of Object.keys(asked) as (keyof TextRecord)[]) {
    if (stored[name] === asked[name]) continue;
    mismatch(
      `the checkpoint read its text with ${name} ${stored[name]}, the settings ask for ${asked[name]}`,
    );
  }
}

/** Derived members are compared last, as tau from n_heads and seq_len. */
const DERIVED = 'tau';

/** Every member of a model_spec as text. */
function membersOf({ core, ...own }: ModelSpec): Record<string, string> {
  const members = Object.entries({ ...own, ...core });
  const ordered = [
    ...members.filter(([name]) => name !== DERIVED),
    ...members.filter(([name]) => name === DERIVED),
  ];
  return Object.fromEntries(ordered.map(([name, value]) => [name, JSON.stringify(value)]));
}

function mismatch(what: string): never {
  throw new EngineError('checkpoint-mismatch', what);
}
