import type { RegionStatus } from '../../../edge/geo/contract/region.ts';
import { Badge } from '../../ui/Badge.tsx';
import { TONES } from './region-look.ts';
import { useRegionsText } from './regions-text.ts';

export function RegionBadge({ status }: { readonly status: RegionStatus }) {
  const { t } = useRegionsText();
  return <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>;
}
