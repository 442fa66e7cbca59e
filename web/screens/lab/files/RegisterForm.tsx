import { useState, type FormEvent } from 'react';
import type { Failure } from '../../../lab/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { FailureNote } from '../FailureNote.tsx';
import { useLabText } from '../lab-text.ts';
import { useLab } from '../lab-store.ts';
import { checkRegistration, nextVersion } from './registration.ts';
import { Note, Row, Stack } from '../../../ui/Layout.tsx';

/** Values of the form. */
export interface Registration {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
}

interface RegisterFormProps {
  readonly choice: Registration;
  readonly state:
    | { readonly status: 'filling'; readonly failure: Failure | null }
    | { readonly status: 'uploading' };
  readonly onChange: (change: Partial<Registration>) => void;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

export function RegisterForm({ choice, state, onChange, onSubmit, onClose }: RegisterFormProps) {
  const { t } = useLabText();
  const [isChecked, setChecked] = useState(false);
  const wrong = checkRegistration(choice);
  const errorOf = (field: keyof typeof wrong) => {
    const key = isChecked ? wrong[field] : undefined;
    return key && t(key);
  };
  const isUploading = state.status === 'uploading';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (Object.keys(wrong).length === 0) onSubmit();
  };
  return (
    <Stack as="form" gap={3} onSubmit={submit}>
      <Stack as="fieldset" gap={3} disabled={isUploading}>
        <TextField
          label={t('files.name')}
          error={errorOf('name')}
          value={choice.name}
          maxLength={128}
          onChange={(name) => onChange({ name })}
        />
        <TextField
          label={t('files.id')}
          hint={t('files.idHint')}
          error={errorOf('id')}
          value={choice.id}
          maxLength={128}
          onChange={(id) => onChange({ id })}
        />
        <TextField
          label={t('files.version')}
          hint={t('files.versionHint')}
          error={errorOf('version')}
          value={choice.version}
          maxLength={128}
          onChange={(version) => onChange({ version })}
        />
        <TextAreaField
          label={t('files.description')}
          value={choice.description}
          maxLength={4096}
          onChange={(description) => onChange({ description })}
        />
      </Stack>
      {isUploading && <UploadProgress />}
      {state.status === 'filling' && state.failure && (
        <Refusal failure={state.failure} version={choice.version} />
      )}
      <Row align="stretch" justify="flex-end">
        <Button onClick={onClose}>{t('files.cancel')}</Button>
        <Button tone="primary" type="submit" icon="upload" disabled={isUploading}>
          {t(isUploading ? 'files.uploading' : 'files.upload')}
        </Button>
      </Row>
    </Stack>
  );
}

function UploadProgress() {
  const { t, format } = useLabText();
  const upload = useLab((state) => state.upload);
  const { sentBytes, totalBytes } = upload ?? { sentBytes: 0, totalBytes: 0 };
  const words = t('files.uploaded', {
    sent: format.bytes(sentBytes),
    total: format.bytes(totalBytes),
  });
  return (
    <Stack gap={3}>
      <ProgressBar
        label={t('files.uploading')}
        fraction={totalBytes === 0 ? 0 : sentBytes / totalBytes}
        valueText={words}
      />
      <Note>{words}</Note>
    </Stack>
  );
}

interface RefusalProps {
  readonly failure: Failure;
  readonly version: string;
}

/** The registry's error; for an existing version, with an explanation and a suggested version. */
function Refusal({ failure, version }: RefusalProps) {
  const { t } = useLabText();
  const isTaken = failure.kind === 'problem' && failure.problem.code === 'version_immutable';
  return (
    <>
      <FailureNote failure={failure} />
      {isTaken && <p>{t('files.conflict', { next: nextVersion(version) })}</p>}
    </>
  );
}
