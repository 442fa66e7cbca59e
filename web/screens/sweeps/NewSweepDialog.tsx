import { useState } from 'react';
import { METHODS } from '../../../edge/training/contract/sweep.ts';
import { ARCHITECTURES } from '../../../engine/index.ts';
import { CommandBox } from '../../app/CommandBox.tsx';
import { useServices } from '../../app/services.ts';
import { optionsOf } from '../../records/options.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Grid, Note, Stack } from '../../ui/Layout.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextAreaField } from '../../ui/TextAreaField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import {
  fileOf,
  FIRST_FORM,
  METRIC_NAMES,
  objectIn,
  type SweepForm,
  sweepCommand,
} from './sweep-form.ts';
import { useSweepsText } from './words/en-sweeps.ts';

const IDLE = { error: null, isPending: false } as const;
const JSON_LENGTH = 8000;

/** A form that writes the file of a sweep, and shows the command that drives it. */
export function NewSweepDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSweepsText();
  const { toasts } = useServices();
  const [form, setForm] = useState(FIRST_FORM);
  const change = (part: Partial<SweepForm>) => setForm((before) => ({ ...before, ...part }));
  const file = fileOf(form);

  function save() {
    if (!file) return;
    const text = `${JSON.stringify(file, undefined, 2)}\n`;
    saveFile(`${form.name}.json`, new Blob([text], { type: 'application/json' }));
    toasts.show(t('new.saved', { file: `${form.name}.json` }), 'good');
  }

  return (
    <FormDialog
      title={t('sweeps.new')}
      submit={t('new.save')}
      isReady={file !== undefined}
      request={IDLE}
      onSubmit={save}
      onClose={onClose}
    >
      <Stack gap={4}>
        <Note>{t('new.lead')}</Note>
        <Choices form={form} onChange={change} />
        <Numbers form={form} onChange={change} />
        {(['search', 'fixed'] as const).map((name) => (
          <TextAreaField
            key={name}
            label={t(`new.${name}`)}
            hint={t(`new.${name}Hint`)}
            error={objectIn(form[name]) ? undefined : t('new.noObject')}
            value={form[name]}
            maxLength={JSON_LENGTH}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
        <CommandBox command={sweepCommand(form.name, location.origin)} copy={t('new.copy')} />
      </Stack>
    </FormDialog>
  );
}

interface PartProps {
  readonly form: SweepForm;
  readonly onChange: (part: Partial<SweepForm>) => void;
}

function Choices({ form, onChange }: PartProps) {
  const { t } = useSweepsText();
  return (
    <Grid min="14rem">
      <TextField
        label={t('new.name')}
        hint={t('new.nameHint')}
        value={form.name}
        maxLength={64}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label={t('new.dataset')}
        hint={t('new.datasetHint')}
        value={form.dataset}
        maxLength={512}
        onChange={(dataset) => onChange({ dataset })}
      />
      <SelectField
        label={t('new.family')}
        options={optionsOf(ARCHITECTURES, (value) => value)}
        value={form.family}
        onChange={(family) => onChange({ family })}
      />
      <SelectField
        label={t('sweeps.method')}
        options={optionsOf(METHODS, (value) => t(`method.${value}`))}
        value={form.method}
        onChange={(method) => onChange({ method })}
      />
      <SelectField
        label={t('sweeps.metric')}
        options={optionsOf(METRIC_NAMES, (value) => value)}
        value={form.metric}
        onChange={(metric) => onChange({ metric })}
      />
    </Grid>
  );
}

const NUMBERS = [
  ['runs', 1000],
  ['steps', 1_000_000_000],
  ['firstSteps', 1_000_000_000],
  ['parallel', 64],
] as const;

function Numbers({ form, onChange }: PartProps) {
  const { t } = useSweepsText();
  const isAsked = { runs: form.method !== 'grid', firstSteps: form.method === 'asha' };
  return (
    <Grid min="10rem">
      {NUMBERS.filter(([name]) => name === 'steps' || name === 'parallel' || isAsked[name]).map(
        ([name, max]) => (
          <NumberField
            key={name}
            label={t(`new.${name}`)}
            value={form[name]}
            rule={{ kind: 'integer', min: 1, max }}
            step={1}
            onChange={(value) => onChange({ [name]: value })}
          />
        ),
      )}
    </Grid>
  );
}
