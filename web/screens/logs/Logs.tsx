import { useMemo, useState } from 'react';
import { CommandBox } from '../../app/CommandBox.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { useSampled } from '../../widgets/canvas/use-sampled.ts';
import { FIELDS, filterOf, type LogFields } from './log-fields.ts';
import type { LogBuffer } from './log-buffer.ts';
import { allRows, FoundRows, type LogRows, type LogTest, testOf } from './log-rows.ts';
import { LogBar } from './LogBar.tsx';
import { LogDetail } from './LogDetail.tsx';
import { LogList } from './LogList.tsx';
import { LogTools } from './LogTools.tsx';
import { useLogsText } from './words/en-logs.ts';
import { useLogStream } from './use-log-stream.ts';

const TYPING_MS = 300;
/** How often the list takes in what has come: nobody reads faster. */
const SHOW_EVERY_MS = 100;

/** The log of the distributed brain as it comes: filtered, searched, stopped and read in detail. */
export function Logs() {
  const { t } = useLogsText();
  const [fields, change] = useUrlState(FIELDS);
  const asked = useSettled(fields, TYPING_MS);
  const { buffer, state } = useLogStream(filterOf(asked));
  const { test, isWrong } = useMemo(() => parsed(asked), [asked]);
  const rows = useRows(buffer, test);
  const [isFollowing, setFollowing] = useState(true);
  const [chosen, choose] = useState<number | undefined>(undefined);
  const item = chosen === undefined ? undefined : buffer.at(chosen);
  const isRefused = state.status === 'lost' && state.error !== undefined;
  return (
    <Screen lead={t('logs.lead')} width="wide">
      <LogBar fields={fields} onChange={change} isWrong={isWrong} />
      {isRefused && <ErrorState error={state.error} />}
      <LogTools
        buffer={buffer}
        rows={rows}
        state={state}
        isSearching={test !== undefined}
        isFollowing={isFollowing}
        onFollow={setFollowing}
      />
      {rows.end > rows.start ? (
        <LogList
          buffer={buffer}
          rows={rows}
          isFollowing={isFollowing}
          onFollow={setFollowing}
          chosen={chosen}
          onChoose={choose}
        />
      ) : (
        !isRefused && <Nothing isLoading={state.status === 'connecting'} isSearching={!!test} />
      )}
      {item && <LogDetail item={item} onClose={() => choose(undefined)} />}
    </Screen>
  );
}

function Nothing(props: { readonly isLoading: boolean; readonly isSearching: boolean }) {
  const { t } = useLogsText();
  if (props.isLoading) return <Skeleton lines={1} lineRem={14} />;
  if (props.isSearching) {
    return (
      <EmptyState icon="search" title={t('none.found')}>
        {t('none.foundHelp')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="logs"
      title={t('none.title')}
      action={<CommandBox command={publishCommand(location.origin)} copy={t('none.copy')} />}
    >
      {t('none.help')}
    </EmptyState>
  );
}

const publishCommand = (origin: string): string =>
  `npm run -s spikegrid -- logs publish "hello" --gateway ${origin}`;

function parsed({ find, mode }: LogFields): { test: LogTest | undefined; isWrong: boolean } {
  try {
    return { test: testOf(find, mode), isWrong: false };
  } catch {
    return { test: undefined, isWrong: true };
  }
}

/** The rows there are now. */
function useRows(buffer: LogBuffer, test: LogTest | undefined): LogRows {
  useSampled(buffer, SHOW_EVERY_MS);
  const found = useMemo(() => test && new FoundRows(buffer, test), [buffer, test]);
  return found ? found.look() : allRows(buffer);
}
