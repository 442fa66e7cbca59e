import type { KnownSpec } from './families.ts';
import { familyDescriptions } from './architectures.ts';
import type { StoredTraining } from '../checkpoint/checkpoint.ts';

/** Choices for the registration of a model. */
export interface RegistrationChoice {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  /** How it was trained, by default. */
  readonly description?: string | undefined;
}

/** A trained model as the registry's `POST /models/register` takes it. */
export function registrationOf(
  { spec, state }: Pick<StoredTraining<KnownSpec>, 'spec' | 'state'>,
  { id, version, name, description }: RegistrationChoice,
) {
  return {
    model_id: id,
    name,
    version,
    model_type: familyDescriptions[spec.architecture].category,
    framework: 'spikegrid',
    architecture: spec.architecture,
    description: description ?? `${state.step} steps on ${state.data.name}`,
    model_spec: spec,
    ...('tokenizer' in spec && {
      tokenizer_digest: spec.tokenizer.files_sha256['tokenizer.json'],
    }),
    dataset_digest: state.data.sha256,
  };
}
