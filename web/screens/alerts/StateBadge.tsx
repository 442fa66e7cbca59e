import type { Labels } from '../../../edge/alerts/contract/alert-matcher.ts';
import type { RuleState, Severity } from '../../../edge/alerts/contract/alert-rule.ts';
import type { SilenceState } from '../../../edge/alerts/contract/alert-silence.ts';
import type { AlertState } from '../../../edge/alerts/contract/alert.ts';
import { Chips } from '../../records/Chips.tsx';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { useAlertsText } from './words/en-alerts.ts';

type AnyState = AlertState | RuleState | SilenceState;

const TONES: Readonly<Record<AnyState, BadgeTone>> = {
  firing: 'bad',
  pending: 'warn',
  suppressed: 'neutral',
  resolved: 'good',
  inactive: 'good',
  disabled: 'neutral',
  active: 'good',
  expired: 'neutral',
};

export function StateBadge({ state }: { readonly state: AnyState }) {
  const { t } = useAlertsText();
  return <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>;
}

const SEVERITY_TONES: Readonly<Record<Severity, BadgeTone>> = {
  critical: 'bad',
  warning: 'warn',
  info: 'neutral',
};

export function SeverityBadge({ severity }: { readonly severity: Severity }) {
  const { t } = useAlertsText();
  return <Badge tone={SEVERITY_TONES[severity]}>{t(`severity.${severity}`)}</Badge>;
}

/** Labels as name=value chips. */
export function LabelChips({ labels }: { readonly labels: Labels }) {
  return <Chips items={Object.entries(labels).map(([name, value]) => `${name}=${value}`)} />;
}
