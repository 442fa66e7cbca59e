import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { RuleRecord } from '../../../../edge/alerts/contract/alert-rule.ts';
import { ProblemError } from '../../../../edge/contract/problem-error.ts';
import {
  ALERTS_KEY,
  createRule,
  deleteRule,
  replaceRule,
  rulesQuery,
} from '../../../api/alerts.ts';
import { useChange } from '../../../app/use-change.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/Dialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Stack } from '../../../ui/Layout.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ResourceScreen } from '../../../ui/Resource.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { type AlertFields, type ChangeAlertFields, NEW_RULE } from '../alert-fields.ts';
import css from '../Alerts.module.css';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { useAlertsText } from '../words/en-alerts.ts';
import { EMPTY_FORM, formOf, problemsOf, ruleOf } from './rule-form.ts';
import { AboutFields, ConditionFields } from './RuleFields.tsx';
import { RulePreview } from './RulePreview.tsx';

interface RuleEditorProps {
  readonly fields: AlertFields;
  readonly onChange: ChangeAlertFields;
}

/** The editor of a rule, with a preview on past data. */
export function RuleEditor({ fields, onChange }: RuleEditorProps) {
  const { t } = useAlertsText();
  const query = useQuery(rulesQuery);
  const [round, setRound] = useState(0);
  const isNew = fields.rule === NEW_RULE;
  const rule = query.data?.rules.find(({ id }) => id === fields.rule);
  const leave = () => onChange({ rule: '', tab: 'rules' });
  if (isNew || rule) {
    return (
      <RuleScreen
        key={`${fields.rule} ${round}`}
        rule={rule}
        onReload={() => void query.refetch().then(() => setRound(round + 1))}
        fields={fields}
        onChange={onChange}
      />
    );
  }
  return (
    <ResourceScreen
      title={t('rules.name')}
      actions={<Button onClick={leave}>{t('rule.back')}</Button>}
      query={query}
      skeleton={{ lines: 8, lineRem: 3 }}
      stale="reported"
    >
      {() => <EmptyState title={t('rule.missing')}>{t('rule.missingHelp')}</EmptyState>}
    </ResourceScreen>
  );
}

interface RuleScreenProps extends RuleEditorProps {
  /** Undefined for a new one. */
  readonly rule: RuleRecord | undefined;
  /** Reloads the current rule. */
  readonly onReload: () => void;
}

function RuleScreen({ rule: latest, fields, onChange, onReload }: RuleScreenProps) {
  const { t } = useAlertsText();
  // As it was when the form opened: later changes must not replace what is typed.
  const [rule] = useState(latest);
  const [form, setForm] = useState(() => (rule ? formOf(rule) : EMPTY_FORM));
  const [isTried, setIsTried] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const leave = () => onChange({ rule: '', tab: 'rules' });
  const problems = problemsOf(form);
  const save = useChange(ALERTS_KEY, {
    change: () =>
      rule ? replaceRule(rule, ruleOf(form, rule)) : createRule(ruleOf(form, undefined)),
    said: ({ name }) => t('rule.saved', { name }),
    onDone: leave,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    setIsTried(true);
    if (Object.keys(problems).length === 0 && !save.isPending) save.mutate();
  }

  const parts = { form, problems: isTried ? problems : {}, onForm: setForm };
  return (
    <Screen
      title={rule?.name ?? t('rule.newTitle')}
      width="wide"
      actions={<Button onClick={leave}>{t('rule.back')}</Button>}
    >
      <div className={css['editor']}>
        <Stack as="form" onSubmit={submit}>
          <Panel title={t('rule.what')}>
            <ConditionFields {...parts} />
          </Panel>
          <Panel title={t('rule.about')}>
            <AboutFields {...parts} />
          </Panel>
          {save.isError && <SaveFailure error={save.error} onReload={onReload} />}
          <DialogActions>
            {rule && (
              <Button tone="danger" icon="trash" onClick={() => setIsDeleting(true)}>
                {t('rule.delete')}
              </Button>
            )}
            <Button type="submit" tone="primary">
              {t(rule ? 'rule.save' : 'rule.create')}
            </Button>
          </DialogActions>
        </Stack>
        <div className={css['preview']}>
          <RulePreview form={form} range={fields.range} onRange={(range) => onChange({ range })} />
        </div>
      </div>
      {isDeleting && rule && (
        <DeleteRule rule={rule} onDone={leave} onClose={() => setIsDeleting(false)} />
      )}
    </Screen>
  );
}

interface DeleteRuleProps {
  readonly rule: RuleRecord;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeleteRule({ rule, onDone, onClose }: DeleteRuleProps) {
  const { t } = useAlertsText();
  return (
    <ConfirmDialog
      title={t('rule.deleteTitle', { name: rule.name })}
      body={t('rule.deleteBody')}
      confirm={t('rule.delete')}
      said={t('rule.deleted', { name: rule.name })}
      onConfirm={() => deleteRule(rule)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

interface SaveFailureProps {
  readonly error: unknown;
  readonly onReload: () => void;
}

function SaveFailure({ error, onReload }: SaveFailureProps) {
  const { t } = useAlertsText();
  if (!(error instanceof ProblemError && error.code === 'precondition_failed')) {
    return <ErrorState error={error} />;
  }
  return (
    <div className={css['conflict']} role="alert">
      <p>{t('rule.changed')}</p>
      <Button icon="retry" onClick={onReload}>
        {t('rule.reload')}
      </Button>
    </div>
  );
}
