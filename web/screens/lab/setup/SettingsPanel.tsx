import { ARCHITECTURES, DEVICES, PRESET_NAMES } from '../../../../engine/index.ts';
import { presetLabel } from '../../../model-form/model-text.ts';
import { presetOf, presetValues } from '../../../model-form/model-values.ts';
import { buttonClass } from '../../../ui/Button.tsx';
import { Note } from '../../../ui/Layout.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { useLabForm } from '../fields-context.ts';
import { RULES, settingsFrom } from '../lab-fields.ts';
import { useLabText } from '../lab-text.ts';
import { isShaped, isUnderWay, useRunRequest } from '../run/use-run.ts';
import { pageLab, useLab } from '../lab-store.ts';
import { BudgetFields } from './BudgetFields.tsx';
import { ModelInputs } from './ModelInputs.tsx';
import css from './Setup.module.css';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';

/** The setting that may still change when a run resumes. */
const TRAINED_BY = 'learning_rate';

/** Settings are planned once they stand still this long. */
const TYPING_MS = 200;

/** The model, and how it is trained. What belongs to a run cannot be changed while there is one. */
export function SettingsPanel() {
  const { t } = useLabText();
  const isLocked = useLab(({ run }) => isShaped(run));
  const isBusy = useLab(({ run }) => isUnderWay(run));
  // A preset fills all fields anew, those too in which something else was being typed.
  const [fills, setFills] = useState(0);
  usePlan();
  return (
    <Panel
      title={t('setup.model')}
      actions={<SendAsJob />}
      {...(isLocked && { note: t('setup.locked') })}
    >
      <fieldset className={css['grid']} disabled={isLocked}>
        <FamilySelect />
        <PresetSelect onFill={() => setFills(fills + 1)} />
        <DeviceSelect />
        <ModelInputs key={fills} shows={(name) => name !== TRAINED_BY} />
        <LabNumber name="seed" step={1} />
      </fieldset>
      <fieldset className={css['grid']} disabled={isBusy}>
        <ModelInputs key={fills} shows={(name) => name === TRAINED_BY} />
        <BudgetFields />
        <LabNumber name="check_every" step={10} hint={t('setup.checkHint')} />
      </fieldset>
      <PlanLine />
      <ChosenLines />
    </Panel>
  );
}

/** Which family is trained; what its fields have in common with another's stays. */
function FamilySelect() {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  return (
    <div className={css['whole']}>
      <SelectField
        label={t('modelField.architecture')}
        options={ARCHITECTURES.map((value) => ({ value, label: t(`architecture.${value}`) }))}
        value={fields.architecture}
        onChange={(architecture) => change({ architecture })}
      />
    </div>
  );
}

function PresetSelect({ onFill }: { readonly onFill: () => void }) {
  const text = useLabText();
  const { fields, model, changeModel } = useLabForm();
  const { architecture } = fields;
  const preset = presetOf(architecture, model);
  const offered = [...PRESET_NAMES, ...(preset === 'custom' ? [preset] : [])];
  return (
    <SelectField
      label={text.t('modelField.preset')}
      options={offered.map((value) => ({ value, label: presetLabel(text, value) }))}
      value={preset}
      onChange={(chosen) => {
        if (chosen === 'custom') return;
        onFill();
        changeModel(presetValues(architecture, chosen));
      }}
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

/** Asks what a run would need whenever the settings or the data change. */
function usePlan(): void {
  const { settings } = useRunRequest();
  const settled = useSettled(settings, TYPING_MS);
  const digest = useLab(({ data }) => (data.status === 'open' ? data.facts.digest : null));
  useEffect(() => {
    if (digest !== null) pageLab().plan(settled);
  }, [settled, digest]);
}

interface LabNumberProps {
  readonly name: 'seed' | 'check_every';
  /** How far an arrow key goes. */
  readonly step: number;
  readonly hint?: string;
}

/** A number of the form that is none of the model's. */
function LabNumber({ name, step, hint }: LabNumberProps) {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  return (
    <NumberField
      label={t(`setup.${name}`)}
      hint={hint}
      value={fields[name]}
      rule={RULES[name]}
      step={step}
      onChange={(value) => change({ [name]: value })}
    />
  );
}

/** Resource requirements of the model, before training. */
function PlanLine() {
  const { t, format } = useLabText();
  const plan = useLab(({ run, plan: planned }) => {
    if ('run' in run) return run.run.plan;
    return planned.status === 'known' ? planned.plan : null;
  });
  return (
    <Note as="output">
      {plan
        ? t('setup.needs', {
            parameters: format.integer(plan.parameters),
            memory: format.bytes(plan.memoryBytes),
          })
        : t('setup.needsUnknown')}
    </Note>
  );
}

/** The recipe that `auto` took for the run, and when the run is expected to know something. */
function ChosenLines() {
  const { t, format } = useLabText();
  const run = useLab((state) => ('run' in state.run ? state.run.run : null));
  const recipe = run?.settings.chosen?.['recipe'];
  const forecast = run?.forecast;
  const seconds = (value: number) => format.integer(Math.max(1, Math.round(value)));
  return (
    <>
      {recipe && (
        <Note>{t('setup.recipe', { name: String(recipe.value), why: recipe.reason })}</Note>
      )}
      {forecast && (
        <Note>
          {t('setup.forecast', {
            unigram: seconds(forecast.unigramSeconds),
            bigram: seconds(forecast.bigramSeconds),
          })}
        </Note>
      )}
    </>
  );
}

/** Leads to the form for a new job, filled with the lab's settings. */
function SendAsJob() {
  const { t } = useLabText();
  const form = useLabForm();
  const { architecture, fields, batch, learningRate, seed } = settingsFrom(form.fields, form.model);
  const request = {
    model_type: architecture,
    ...fields,
    batch_size: batch,
    learning_rate: learningRate,
    seed,
    [form.fields.budget_in]: form.fields.budget,
  };
  return (
    <Link
      href={`/jobs?new=${encodeURIComponent(JSON.stringify(request))}`}
      className={buttonClass('secondary')}
    >
      {t('setup.sendAsJob')}
    </Link>
  );
}
