import type { VersionStatus } from '../../../edge/registry/contract/model.ts';
import { useModelsText } from './models-text.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';

const TONES: Readonly<Record<VersionStatus, BadgeTone>> = {
  PENDING: 'neutral',
  READY: 'good',
  FAILED: 'bad',
};

export function StatusBadge({ status }: { readonly status: VersionStatus }) {
  return <Badge tone={TONES[status]}>{useModelsText().t(`models.${status}`)}</Badge>;
}
