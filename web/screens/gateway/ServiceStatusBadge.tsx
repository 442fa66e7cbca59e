import type { ServiceStatus } from '../../../edge/contract/service.ts';
import { useText } from '../../i18n/text-context.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';

const TONES: Readonly<Record<ServiceStatus, BadgeTone>> = {
  passing: 'good',
  warning: 'warn',
  critical: 'bad',
  unknown: 'neutral',
};

export function ServiceStatusBadge({ status }: { readonly status: ServiceStatus }) {
  return <Badge tone={TONES[status]}>{useText().t(`service.${status}`)}</Badge>;
}
