import type { DiscoveryStatus } from '../../../edge/discovery/contract/node.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { useBrainText } from './brain-text.ts';

const TONES: Readonly<Record<DiscoveryStatus, BadgeTone>> = {
  active: 'good',
  inactive: 'neutral',
  error: 'bad',
};

export function StatusBadge({ status }: { readonly status: DiscoveryStatus }) {
  const { t } = useBrainText();
  return <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>;
}
