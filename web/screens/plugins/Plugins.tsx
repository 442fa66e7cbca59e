import { use, useState } from 'react';
import { NavigationContext } from '../../routing/navigation-context.ts';
import { Screen } from '../../ui/Screen.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { PluginBar } from './list/PluginBar.tsx';
import { PluginList } from './list/PluginList.tsx';
import { PluginDetail } from './detail/PluginDetail.tsx';
import { FIELDS } from './plugin-fields.ts';
import { usePluginsText } from './words/en-plugins.ts';

/** The plugins of this tab and of the hosts behind the gateway, or the one that the address names. */
export function Plugins() {
  const { t } = usePluginsText();
  const [fields, change] = useUrlState(FIELDS);
  const { host, plugin } = fields;
  const [first] = useState(plugin);
  const [hasMoved, setHasMoved] = useState(false);
  if (!hasMoved && plugin !== first) setHasMoved(true);
  const arrival = use(NavigationContext);
  return (
    <NavigationContext value={hasMoved ? 'navigated' : arrival}>
      {plugin === '' ? (
        <Screen lead={t('plugins.lead')} width="wide">
          <PluginBar fields={fields} onChange={change} />
          <PluginList fields={fields} />
        </Screen>
      ) : (
        <PluginDetail key={`${host}/${plugin}`} host={host} name={plugin} />
      )}
    </NavigationContext>
  );
}
