import type { RegionStatus } from '../../../edge/geo/contract/region.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { useRegionsText } from './words/en-regions.ts';

export function RegionBadge({ status }: { readonly status: RegionStatus }) {
  const { t } = useRegionsText();
  return <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>;
}

export const TONES: Readonly<Record<RegionStatus, BadgeTone>> = {
  online: 'good',
  degraded: 'warn',
  offline: 'bad',
  maintenance: 'neutral',
  unknown: 'neutral',
};

/** A disc, a triangle, a square, a diamond and a ring, on a grid of 10 by 10. */
export const MARKS: Readonly<Record<RegionStatus, string>> = {
  online: 'M5 1A4 4 0 1 0 5 9 4 4 0 1 0 5 1Z',
  degraded: 'M5 .5 9.7 9H.3Z',
  offline: 'M1.2 1.2H8.8V8.8H1.2Z',
  maintenance: 'M5 0 10 5 5 10 0 5Z',
  unknown: 'M5 1A4 4 0 1 0 5 9 4 4 0 1 0 5 1ZM5 3A2 2 0 1 1 5 7 2 2 0 1 1 5 3Z',
};
