import { useState } from 'react';
import type { Alert } from '../../../edge/alerts/contract/alert.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { Row } from '../../ui/Layout.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import type { ChangeAlertFields } from './alert-fields.ts';
import { writeMatchers } from './alert-syntax.ts';
import { SilenceDialog } from './SilenceList.tsx';
import { LabelChips, SeverityBadge, StateBadge } from './StateBadge.tsx';
import { type AlertsText, useAlertsText } from './words/en-alerts.ts';

interface AlertDetailProps {
  /** Undefined where it is no longer listed. */
  readonly alert: Alert | undefined;
  readonly onChange: ChangeAlertFields;
}

/** One alert with its actions. */
export function AlertDetail({ alert, onChange }: AlertDetailProps) {
  const text = useAlertsText();
  const { t } = text;
  const [step, setStep] = useState<'look' | 'silence'>('look');
  const close = () => onChange({ alert: '' });
  if (!alert) {
    return (
      <Dialog title={t('detail.gone')} onClose={close}>
        <p>{t('detail.goneHelp')}</p>
      </Dialog>
    );
  }
  if (step === 'silence') {
    return <SilenceDialog matchers={writeMatchers(matchersOf(alert))} onClose={close} />;
  }
  return (
    <Dialog title={alert.name} onClose={close}>
      <Row as="p">
        <SeverityBadge severity={alert.severity} />
        <StateBadge state={alert.status.state} />
      </Row>
      <Facts facts={factsOf(text, alert)} />
      <DialogActions>
        <Button
          tone="quiet"
          onClick={() => onChange({ alert: '', tab: 'history', of: alert.rule_id })}
        >
          {t('detail.history')}
        </Button>
        <Button onClick={() => onChange({ alert: '', rule: alert.rule_id })}>
          {t('detail.rule')}
        </Button>
        <Button tone="primary" onClick={() => setStep('silence')}>
          {t('detail.silence')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The matchers of a silence for exactly this alert. */
const matchersOf = ({ labels }: Alert) =>
  Object.entries(labels).map(([name, value]) => ({ name, op: '=' as const, value }));

function factsOf({ t, format }: AlertsText, alert: Alert): Fact[] {
  const { summary, description, runbook_url: runbook } = alert.annotations;
  const { silencedBy, inhibitedBy } = alert.status;
  const optional: readonly (false | Fact)[] = [
    summary !== '' && { label: t('detail.summary'), value: summary },
    description !== '' && { label: t('detail.description'), value: description },
    /^https?:\/\//.test(runbook) && {
      label: t('detail.runbook'),
      value: (
        <a href={runbook} rel="noreferrer" target="_blank">
          {t('detail.openRunbook')}
        </a>
      ),
    },
    { label: t('detail.value'), value: format.number(alert.value) },
    { label: t('detail.since'), value: <RelativeTime time={alert.startsAt} /> },
    alert.endsAt !== null && {
      label: t('detail.ended'),
      value: <RelativeTime time={alert.endsAt} />,
    },
    { label: t('detail.labels'), value: <LabelChips labels={alert.labels} /> },
    silencedBy.length > 0 && { label: t('detail.silencedBy'), value: silencedBy.join(' ') },
    inhibitedBy.length > 0 && { label: t('detail.inhibitedBy'), value: inhibitedBy.join(' ') },
    alert.receivers.length > 0 && {
      label: t('detail.receivers'),
      value: format.list(alert.receivers),
    },
  ];
  return optional.filter((fact) => fact !== false);
}
