import { useEffect } from 'react';
import { DEVICES, presets, type PresetName } from '../../../../engine/index.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { useLabForm } from '../fields-context.ts';
import { presetFields, presetOf } from '../lab-fields.ts';
import { useLabText } from '../lab-text.ts';
import { isShaped, isUnderWay, useRunRequest } from '../run/use-run.ts';
import { theLab, useLab } from '../the-lab.ts';
import { BudgetFields } from './BudgetFields.tsx';
import { LabNumber } from './LabNumber.tsx';
import { PlanLine } from './PlanLine.tsx';
import { SendAsJob } from './SendAsJob.tsx';
import css from './Setup.module.css';

const PRESETS = [...(Object.keys(presets) as PresetName[]), 'custom'] as const;

/** How far an arrow key goes in the fields that shape the model. */
const SHAPE_STEPS = {
  d_model: 8,
  heads: 1,
  blocks: 1,
  time_steps: 1,
  seq_len: 8,
  batch_size: 1,
  seed: 1,
} as const;

/** Settings are planned once they stand still this long. */
const TYPING_MS = 200;

/** The model, and how it is trained. What belongs to a run cannot be changed while there is one. */
export function SettingsPanel() {
  const { t } = useLabText();
  const isLocked = useLab(({ run }) => isShaped(run));
  const isBusy = useLab(({ run }) => isUnderWay(run));
  usePlan();
  return (
    <Panel
      title={t('setup.model')}
      actions={<SendAsJob />}
      {...(isLocked && { note: t('setup.locked') })}
    >
      <fieldset className={css['grid']} disabled={isLocked}>
        <PresetSelect />
        <DeviceSelect />
        {(Object.keys(SHAPE_STEPS) as (keyof typeof SHAPE_STEPS)[]).map((name) => (
          <LabNumber key={name} name={name} step={SHAPE_STEPS[name]} />
        ))}
      </fieldset>
      <fieldset className={css['grid']} disabled={isBusy}>
        <LabNumber name="learning_rate" step={0.001} />
        <BudgetFields />
        <LabNumber name="check_every" step={10} hint={t('setup.checkHint')} />
      </fieldset>
      <PlanLine />
    </Panel>
  );
}

function PresetSelect() {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  const preset = presetOf(fields);
  const offered = PRESETS.filter((name) => name !== 'custom' || preset === 'custom');
  return (
    <SelectField
      label={t('setup.preset')}
      options={offered.map((value) => ({ value, label: t(`setup.${value}`) }))}
      value={preset}
      onChange={(chosen) => chosen !== 'custom' && change(presetFields(chosen))}
    />
  );
}

function DeviceSelect() {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  return (
    <SelectField
      label={t('setup.device')}
      options={DEVICES.map((value) => ({
        value,
        label: t(`setup.${value}`),
      }))}
      value={fields.device}
      onChange={(device) => change({ device })}
    />
  );
}

/** Asks what a run would need whenever the settings or the text change. */
function usePlan(): void {
  const { settings } = useRunRequest();
  const settled = useSettled(settings, TYPING_MS);
  const digest = useLab(({ text }) => (text.status === 'open' ? text.facts.digest : null));
  useEffect(() => {
    if (digest !== null) theLab().plan(settled);
  }, [settled, digest]);
}
