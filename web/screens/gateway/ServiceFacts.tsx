import { Link } from 'wouter';
import type { HealthPolicy, ServiceRecord } from '../../../edge/contract/service.ts';
import { useIsAdmin } from '../../app/session.ts';
import { Facts, type Fact } from '../../ui/Facts.tsx';
import { useNow } from '../../ui/use-now.ts';
import css from './Gateway.module.css';
import { useGatewayText, type GatewayText } from './gateway-text.ts';

/** What is known of a service beside how it is. */
export function RegistrationFacts({ service }: { readonly service: ServiceRecord }) {
  const text = useGatewayText();
  const isAdmin = useIsAdmin();
  const now = useNow(1_000);
  const { t, format } = text;
  const { name, origin, version, tags, meta } = service;
  const date = (time: string) => format.dateTime(new Date(time));
  const facts: Fact[] = [
    { label: t('service.address'), value: <code>{`/${name}/`}</code> },
    { label: t('list.origin'), value: t(`origin.${origin}`) },
    { label: t('service.version'), value: version ?? '–' },
    { label: t('service.tags'), value: <Words words={tags} /> },
    { label: t('service.meta'), value: <Words words={propertiesOf(meta)} /> },
    { label: t('service.registered'), value: date(service.registered_at) },
    { label: t('service.updated'), value: date(service.updated_at) },
  ];
  if (origin === 'registered') {
    facts.push({ label: t('service.ttl'), value: renewalOf(text, service, now) });
  }
  if (isAdmin && origin === 'registered') {
    const log = `/keys?tab=audit&target=${encodeURIComponent(name)}`;
    const link = <Link href={log}>{t('service.changesLink')}</Link>;
    facts.push({ label: t('service.changes'), value: link });
  }
  return <Facts facts={facts} />;
}

function renewalOf(
  { t }: GatewayText,
  { ttl_s: ttl, expires_at: end }: ServiceRecord,
  now: number,
): string {
  if (ttl === null || end === null) return t('service.ttlNone');
  const left = Math.ceil((Date.parse(end) - now) / 1000);
  return left > 0 ? t('service.ttlLeft', { ttl, left }) : t('service.ttlOver', { ttl });
}

const propertiesOf = (meta: ServiceRecord['meta']) =>
  Object.entries(meta).map(([key, value]) => `${key}: ${value}`);

function Words({ words }: { readonly words: readonly string[] }) {
  const { t } = useGatewayText();
  if (words.length === 0) return t('ui.none');
  return (
    <ul className={css['tags']}>
      {words.map((word) => (
        <li key={word} className={css['tag']}>
          {word}
        </li>
      ))}
    </ul>
  );
}

export function PolicyFacts({ policy }: { readonly policy: HealthPolicy }) {
  const { t, format } = useGatewayText();
  const seconds = (value: number) => t('policy.seconds', { value });
  return (
    <Facts
      facts={[
        { label: t('policy.path'), value: <code>{policy.path}</code> },
        { label: t('policy.interval'), value: seconds(policy.interval_s) },
        { label: t('policy.timeout'), value: seconds(policy.timeout_s) },
        { label: t('policy.failures'), value: format.integer(policy.failures_before_critical) },
        { label: t('policy.successes'), value: format.integer(policy.success_before_passing) },
      ]}
    />
  );
}
