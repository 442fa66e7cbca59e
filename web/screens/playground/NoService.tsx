import { ProblemError } from '../../../edge/contract/problem-error.ts';
import { useCopy } from '../../app/use-copy.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import css from './Playground.module.css';
import { usePlaygroundText } from './playground-text.ts';

/** Problem codes of a gateway without a registered or healthy inference service. */
const AWAY: ReadonlySet<string> = new Set([
  'service_not_found',
  'no_healthy_instance',
  'upstream_error',
]);

export const isServiceAway = (error: unknown): boolean =>
  error instanceof ProblemError && AWAY.has(error.code);

/** Behind which of the gateway's ports a local inference service listens: base + 2. */
const PORT_OFFSET = 2;

function serveCommand({ origin, hostname, port }: Location): string {
  const gateway = `npm run -s spikegrid -- serve --gateway ${origin}`;
  return port === ''
    ? gateway
    : `${gateway} --host ${hostname} --port ${Number(port) + PORT_OFFSET}`;
}

/** Says how to start what is missing, with the command to copy. */
export function NoService() {
  const { t } = usePlaygroundText();
  const copy = useCopy();
  const command = serveCommand(location);
  return (
    <EmptyState
      icon="playground"
      title={t('service.none')}
      action={
        <Button icon="copy" onClick={() => void copy(command)}>
          {t('service.copy')}
        </Button>
      }
    >
      <p>{t('service.noneHelp')}</p>
      <code className={css['command']}>{command}</code>
    </EmptyState>
  );
}
