import type { PluginRecord } from '../../../../edge/plugins/contract/plugin.ts';
import { describeFailure } from '../../../api/failure.ts';
import { useServices } from '../../../app/services.ts';
import { sourceOf } from '../../../plugins/plugin-queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { usePluginsText } from '../words/en-plugins.ts';
import { usePluginChange } from '../use-plugin-change.ts';

interface StatusButtonProps {
  readonly host: string;
  readonly plugin: PluginRecord;
}

/** Activates what is not active, and the other way round: one button, so that the focus stays. */
export function StatusButton({ host, plugin }: StatusButtonProps) {
  const text = usePluginsText();
  const { t } = text;
  const { toasts } = useServices();
  const { name, status } = plugin;
  const isActive = status === 'ACTIVE';
  const source = sourceOf(host);
  const change = usePluginChange(
    () => (isActive ? source.deactivate(name) : source.activate(name)),
    (changed) =>
      t(changed.status === 'ACTIVE' ? 'plugin.activated' : 'plugin.deactivated', { name }),
  );
  const onError = (error: unknown) => {
    const { title, detail } = describeFailure(error, text);
    toasts.show(detail ?? title, 'bad');
  };
  return (
    <Button
      tone={isActive ? 'secondary' : 'primary'}
      icon={isActive ? 'stop' : 'play'}
      state={change.isPending ? 'blocked' : 'ready'}
      onClick={() => change.mutate(undefined, { onError })}
    >
      {t(isActive ? 'plugin.deactivate' : 'plugin.activate')}
    </Button>
  );
}
