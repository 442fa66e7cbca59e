import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { healthQuery } from '../../api/health.ts';
import { modelCountQuery, servicesHealthQuery } from '../../api/queries.ts';
import { uptimeText } from '../../i18n/uptime.ts';
import css from './Overview.module.css';
import { Note } from '../../ui/Layout.tsx';
import { useOverviewText } from './words/en-overview.ts';

/** Placeholder for an unknown number. */
const UNKNOWN = '–';

/** A few numbers, large: known at a glance, and never guessed. */
export function Readouts() {
  const text = useOverviewText();
  const { t, format } = text;
  const { data: services } = useQuery(servicesHealthQuery);
  const { data: models } = useQuery(modelCountQuery);
  const { data: health } = useQuery(healthQuery);
  const states = services && Object.values(services.services);
  const passing = states?.filter(({ status }) => status === 'passing').length;
  return (
    <dl className={css['readouts']} aria-label={t('overview.readouts')}>
      <Readout label={t('overview.passing')}>
        {states && t('overview.passingOf', { passing: passing ?? 0, total: states.length })}
      </Readout>
      <Readout label={t('overview.modelCount')}>
        {models !== undefined && <Link href="/models">{format.integer(models)}</Link>}
      </Readout>
      <Readout label={t('overview.uptime')}>{health && uptimeText(text, health.uptime_s)}</Readout>
      <Readout label={t('overview.gatewayVersion')}>{health?.version}</Readout>
    </dl>
  );
}

function Readout({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={css['readout']}>
      <Note as="dt">{label}</Note>
      <dd className={css['value']}>{children || UNKNOWN}</dd>
    </div>
  );
}
