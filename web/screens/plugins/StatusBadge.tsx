import type { PluginStatus } from '../../../edge/plugins/contract/plugin.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { usePluginsText } from './words/en-plugins.ts';

const TONES: Readonly<Record<PluginStatus, BadgeTone>> = {
  LOADED: 'neutral',
  INITIALIZED: 'neutral',
  ACTIVE: 'good',
  INACTIVE: 'warn',
  ERROR: 'bad',
};

export function StatusBadge({ status }: { readonly status: PluginStatus }) {
  const { t } = usePluginsText();
  return <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>;
}
