import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { TestRun } from '../../../edge/test-runs/contract/test-run.ts';
import { openRunOutput, TEST_RUNS_KEY } from '../../api/test-runs.ts';
import { Facts } from '../../ui/Facts.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { useSampled } from '../../widgets/canvas/use-sampled.ts';
import { createOutputFeed, type OutputFeed } from './output-feed.ts';
import { OutputView } from './OutputView.tsx';
import { RunBadge } from './RunBadge.tsx';
import { startedBy, tookWords } from './run-words.ts';
import { useTestRunsText } from './words/en-test-runs.ts';

const FACTS_EVERY_MS = 1_000;

interface RunPanelProps {
  readonly runId: string;
  /** The run as the list has it; undefined where the list does not. */
  readonly run: TestRun | undefined;
  readonly onClose: () => void;
}

/** One run: what is known of it, and its output. */
export function RunPanel({ runId, run, onClose }: RunPanelProps) {
  const { t } = useTestRunsText();
  const feed = useRunOutput(runId);
  useSampled(feed, FACTS_EVERY_MS);
  const shown = feed.ended ?? run;
  return (
    <Panel
      title={t('run.title', { id: runId })}
      actions={<IconButton icon="close" label={t('run.close')} onClick={onClose} />}
    >
      {shown && <RunFacts run={shown} />}
      <OutputView runId={runId} feed={feed} />
    </Panel>
  );
}

function RunFacts({ run }: { readonly run: TestRun }) {
  const text = useTestRunsText();
  const { t } = text;
  const facts = [
    { label: t('column.status'), value: <RunBadge status={run.status} /> },
    { label: t('column.type'), value: t(`type.${run.test_type}`) },
    { label: t('run.started'), value: <RelativeTime time={run.started_at} /> },
    { label: t('column.took'), value: tookWords(text, run) },
    { label: t('run.code'), value: run.returncode },
    { label: t('column.by'), value: startedBy(text, run.started_by) },
    { label: t('run.message'), value: <span lang="en">{run.message}</span> },
  ];
  return <Facts facts={facts.filter(({ value }) => value !== null)} />;
}

/** The output of a run, followed while the panel is there; its end is news for the lists. */
function useRunOutput(runId: string): OutputFeed {
  const queries = useQueryClient();
  const feed = useMemo(
    () => createOutputFeed((after, signal) => openRunOutput(runId, after, signal)),
    [runId],
  );
  useEffect(() => {
    const unfollow = feed.follow();
    const unsubscribe = feed.subscribe(() => {
      if (feed.link.status !== 'over') return;
      void queries.invalidateQueries({ queryKey: TEST_RUNS_KEY });
    });
    return () => {
      unsubscribe();
      unfollow();
    };
  }, [feed, queries]);
  return feed;
}
