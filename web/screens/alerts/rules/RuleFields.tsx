import { useQuery } from '@tanstack/react-query';
import { CompareOp, ConditionAgg } from '../../../../edge/alerts/contract/alert-rule.ts';
import { Severity } from '../../../../edge/alerts/contract/alert-rule.ts';
import { receiversQuery } from '../../../api/alerts.ts';
import { Grid, Note, Row } from '../../../ui/Layout.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { useAlertsText } from '../words/en-alerts.ts';
import type { FormProblems, RuleForm } from './rule-form.ts';

interface FormPartProps {
  readonly form: RuleForm;
  readonly problems: FormProblems;
  readonly onForm: (form: RuleForm) => void;
}

type TextName = {
  [Name in keyof RuleForm]: string extends RuleForm[Name] ? Name : never;
}[keyof RuleForm];

/** The props of the form's text fields. */
function useFormText({ form, problems, onForm }: FormPartProps) {
  const { t } = useAlertsText();
  return (name: TextName) => {
    const problem = problems[name];
    return {
      value: form[name],
      error: problem && t(`rule.${problem}`),
      onChange: (value: string) => onForm({ ...form, [name]: value }),
    };
  };
}

const plainOptions = <T extends string>(values: readonly T[]) =>
  values.map((value) => ({ value, label: value }));

/** The condition of the rule. */
export function ConditionFields(props: FormPartProps) {
  const { form, onForm } = props;
  const { t } = useAlertsText();
  const text = useFormText(props);
  return (
    <>
      <div>
        <Segmented
          legend={t('rule.mode')}
          options={[
            { value: 'fields', label: t('rule.fields') },
            { value: 'expr', label: t('rule.expr') },
          ]}
          value={form.mode}
          onChange={(mode) => onForm({ ...form, mode })}
        />
      </div>
      {form.mode === 'expr' ? (
        <TextAreaField label={t('rule.expr')} hint={t('rule.exprHint')} {...text('expr')} />
      ) : (
        <MetricFields {...props} />
      )}
      <Grid min="10rem" gap={[3, 4]} align="start">
        <TextField label={t('rule.forLabel')} hint={t('rule.forHint')} {...text('pendingFor')} />
        <TextField label={t('rule.keep')} hint={t('rule.durationHint')} {...text('keep')} />
      </Grid>
    </>
  );
}

const GROUPS = ['each', 'all', 'by'] as const;

function MetricFields(props: FormPartProps) {
  const { form, onForm } = props;
  const { t } = useAlertsText();
  const text = useFormText(props);
  return (
    <>
      <TextField label={t('rule.metric')} maxLength={200} {...text('metric')} />
      <TextField label={t('rule.matchers')} hint={t('list.labelsHint')} {...text('matchers')} />
      <Grid min="10rem" gap={[3, 4]} align="start">
        <SelectField
          label={t('rule.agg')}
          options={plainOptions(ConditionAgg.options)}
          value={form.agg}
          onChange={(agg) => onForm({ ...form, agg })}
        />
        <TextField label={t('rule.window')} hint={t('rule.durationHint')} {...text('window')} />
      </Grid>
      {form.agg !== 'absent' && (
        <>
          <Grid min="10rem" gap={[3, 4]} align="start">
            <SelectField
              label={t('rule.op')}
              options={plainOptions(CompareOp.options)}
              value={form.op}
              onChange={(op) => onForm({ ...form, op })}
            />
            <TextField label={t('rule.threshold')} {...text('threshold')} />
          </Grid>
          <Grid min="10rem" gap={[3, 4]} align="start">
            <SelectField
              label={t('rule.group')}
              options={GROUPS.map((value) => ({ value, label: t(`rule.group.${value}`) }))}
              value={form.group}
              onChange={(group) => onForm({ ...form, group })}
            />
            {form.group === 'by' && <TextField label={t('rule.by')} {...text('by')} />}
          </Grid>
        </>
      )}
    </>
  );
}

/** The name, severity, annotations and receivers of the rule. */
export function AboutFields(props: FormPartProps) {
  const { form, onForm } = props;
  const { t } = useAlertsText();
  const text = useFormText(props);
  return (
    <>
      <TextField
        label={t('rule.name')}
        hint={t('rule.nameHint')}
        maxLength={128}
        {...text('name')}
      />
      <Grid min="10rem" gap={[3, 4]} align="start">
        <SelectField
          label={t('rule.severity')}
          options={Severity.options.map((value) => ({ value, label: t(`severity.${value}`) }))}
          value={form.severity}
          onChange={(severity) => onForm({ ...form, severity })}
        />
        <TextField label={t('rule.labels')} hint={t('rule.labelsHint')} {...text('labels')} />
      </Grid>
      <TextField
        label={t('rule.summary')}
        hint={t('rule.templateHint')}
        maxLength={1024}
        {...text('summary')}
      />
      <TextAreaField label={t('rule.description')} maxLength={4096} {...text('description')} />
      <TextField label={t('rule.runbook')} maxLength={1024} {...text('runbook')} />
      <ReceiverChoice {...props} />
      <div>
        <Toggle state={form.state} onToggle={(state) => onForm({ ...form, state })}>
          {t('rule.enabled')}
        </Toggle>
      </div>
    </>
  );
}

function ReceiverChoice({ form, onForm }: FormPartProps) {
  const { t } = useAlertsText();
  const known = useQuery(receiversQuery).data?.receivers ?? [];
  if (known.length === 0) return <Note>{t('rule.noReceivers')}</Note>;
  const toggle = (id: string, state: 'on' | 'off') => {
    const others = form.receivers.filter((other) => other !== id);
    onForm({ ...form, receivers: state === 'on' ? [...others, id] : others });
  };
  return (
    <fieldset>
      <Note as="legend">{t('rule.receivers')}</Note>
      <Row>
        {known.map(({ id, name }) => (
          <Toggle
            key={id}
            state={form.receivers.includes(id) ? 'on' : 'off'}
            onToggle={(state) => toggle(id, state)}
          >
            {name}
          </Toggle>
        ))}
      </Row>
    </fieldset>
  );
}
