import { ModelId } from '../../../../edge/registry/contract/model.ts';
import { Version } from '../../../../edge/contract/semver.ts';
import type { RegistrationChoice } from '../../../../engine/index.ts';
import type { LabKey } from '../lab-text.ts';

/** Validation errors by field; empty when the form is valid. */
export function checkRegistration({ id, name, version }: RegistrationChoice) {
  const wrong: Partial<Record<'id' | 'name' | 'version', LabKey>> = {};
  if (!ModelId.safeParse(id).success) wrong.id = 'files.idHint';
  if (name.trim() === '') wrong.name = 'files.nameMissing';
  if (!Version.safeParse(version).success) wrong.version = 'files.versionHint';
  return wrong;
}

/** A model ID that a name suggests: "Moby Dick, tiny" is moby-dick-tiny. */
export function suggestId(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 128);
}

/** The next version that nobody can have registered by counting: 1.4.2 is followed by 1.5.0. */
export function nextVersion(version: string): string {
  const [major = 1, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return `${major}.${minor + 1}.0`;
}
