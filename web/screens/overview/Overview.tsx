import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../../api/health.ts';
import { servicesHealthQuery } from '../../api/queries.ts';
import { Screen } from '../../ui/Screen.tsx';
import { healthSentence } from './health-sentence.ts';
import { LatestEvents } from './LatestEvents.tsx';
import { NeuronPanel } from './NeuronPanel.tsx';
import css from './Overview.module.css';
import { DownProcesses, ProcessesPanel } from './ProcessesPanel.tsx';
import { Readouts } from './Readouts.tsx';
import { ServicesPanel } from './ServicesPanel.tsx';
import { useOverviewText } from './words/en-overview.ts';

/** The first screen: how the platform is, in a sentence, a few numbers and a table. */
export function Overview() {
  const processes = useQuery(healthQuery).data?.checks['processes']?.processes;
  const lead = (
    <>
      <Health />
      {processes && <DownProcesses processes={processes} />}
    </>
  );
  return (
    <Screen lead={lead}>
      <Readouts />
      <div className={css['panels']}>
        <ServicesPanel />
        <LatestEvents />
        <NeuronPanel />
        {processes && <ProcessesPanel processes={processes} />}
      </div>
    </Screen>
  );
}

function Health() {
  const text = useOverviewText();
  const { data, isError } = useQuery(servicesHealthQuery);
  if (data) return healthSentence(text, data);
  return text.t(isError ? 'overview.unreachable' : 'overview.asking');
}
