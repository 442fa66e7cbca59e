import { oneOf, text, type Values } from '../../url-state/fields.ts';

export const TABS = ['list', 'rules', 'silences', 'receivers', 'history'] as const;

/** The address state. `rule` is a rule's id, or NEW_RULE for a new one. */
export const FIELDS = {
  tab: oneOf('list', TABS),
  rule: text('', 64),
  alert: text('', 16),
  /** The rule whose history is shown. */
  of: text('', 64),
  state: oneOf('now', ['now', 'firing', 'pending', 'suppressed', 'resolved', 'all']),
  severity: oneOf('any', ['any', 'critical', 'warning', 'info']),
  service: text('', 128),
  labels: text('', 1024),
  range: oneOf('6h', ['1h', '6h', '24h', '7d']),
};
export type AlertFields = Values<typeof FIELDS>;
export type ChangeAlertFields = (change: Partial<AlertFields>) => void;

export const NEW_RULE = '+';

export const NO_FILTERS = { state: 'now', severity: 'any', service: '', labels: '' } as const;
