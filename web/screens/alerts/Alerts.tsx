import { Screen } from '../../ui/Screen.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { FIELDS, TABS } from './alert-fields.ts';
import { useAlertsText } from './alerts-text.ts';
import { History } from './history/History.tsx';
import { AlertList } from './list/AlertList.tsx';
import { ReceiverList } from './receivers/ReceiverList.tsx';
import { RuleEditor } from './rules/RuleEditor.tsx';
import { RuleList } from './rules/RuleList.tsx';
import { SilenceList } from './silences/SilenceList.tsx';

/** What is wrong, the rules that say so, silences, and who is told. */
export function Alerts() {
  const { t } = useAlertsText();
  const [fields, change] = useUrlState(FIELDS);
  if (fields.rule !== '') return <RuleEditor fields={fields} onChange={change} />;
  const contents = {
    list: <AlertList fields={fields} onChange={change} />,
    rules: <RuleList onChange={change} />,
    silences: <SilenceList />,
    receivers: <ReceiverList />,
    history: <History fields={fields} onChange={change} />,
  };
  return (
    <Screen lead={t('alerts.lead')}>
      <Tabs
        label={t('alerts.parts')}
        tabs={TABS.map((value) => ({
          value,
          label: t(`tab.${value}`),
          content: contents[value],
        }))}
        value={fields.tab}
        onChange={(tab) => change({ tab })}
      />
    </Screen>
  );
}
