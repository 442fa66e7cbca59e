import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PluginRecord } from '../../../edge/plugins/contract/plugin.ts';
import { useServices } from '../../app/services.ts';
import { PLUGINS_KEY } from '../../plugins/plugin-queries.ts';

/** Changes a plugin, says so, and asks for all that is shown of plugins again. */
export function usePluginChange<In = void>(
  change: (input: In) => Promise<PluginRecord>,
  said: (plugin: PluginRecord) => string,
) {
  const { toasts } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (plugin) => toasts.show(said(plugin), 'good'),
    // A plugin that failed has another status too.
    onSettled: () => queries.invalidateQueries({ queryKey: PLUGINS_KEY }),
  });
}
