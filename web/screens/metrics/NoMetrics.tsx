import { useServices } from '../../app/services.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import css from './Metrics.module.css';
import { useMetricsText } from './metrics-text.ts';

/** Says how to report, with a command to copy. */
export function NoMetrics({ service }: { readonly service: string }) {
  const { t } = useMetricsText();
  const { toasts } = useServices();
  const command = commandFor(location.origin, service);

  async function copy() {
    try {
      await navigator.clipboard.writeText(command);
      toasts.show(t('ui.copied'), 'good');
    } catch {
      toasts.show(t('ui.copyFailed'), 'bad');
    }
  }

  return (
    <EmptyState
      icon="metrics"
      title={t('none.service', { service })}
      action={
        <Button icon="copy" onClick={() => void copy()}>
          {t('none.copy')}
        </Button>
      }
    >
      <p>{t('none.help')}</p>
      <code className={css['command']}>{command}</code>
    </EmptyState>
  );
}

const commandFor = (origin: string, service: string) => {
  const labels = { method: 'GET', route: '/', status: '2xx' };
  const metric = { name: 'http_requests_total', type: 'counter', value: 1, labels };
  const body = JSON.stringify({ service_name: service, metrics: [metric] });
  // A name with a quote in it is no service's name, so nothing can end the quotes early.
  const safe = body.replaceAll("'", '');
  return `curl ${origin}/monitoring/metrics -H 'content-type: application/json' -d '${safe}'`;
};
