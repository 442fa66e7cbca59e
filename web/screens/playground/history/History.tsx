import { Badge, type BadgeTone } from '../../../ui/Badge.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Table, type Column } from '../../../ui/Table.tsx';
import { durationWords } from '../answer/durations.ts';
import { isOver, MAX_EXCHANGES, type Answer, type Exchange } from '../exchanges/exchanges.ts';
import { namesOf, titleOf } from '../exchanges/question.ts';
import css from '../Playground.module.css';
import { usePlaygroundText, type PlaygroundText } from '../playground-text.ts';

interface HistoryProps {
  readonly exchanges: readonly Exchange[];
  readonly onShow: (exchange: Exchange) => void;
  readonly onAgain: (exchange: Exchange) => void;
}

/** Requests of this tab, newest first, to show or repeat. */
export function History({ exchanges, onShow, onAgain }: HistoryProps) {
  const text = usePlaygroundText();
  if (exchanges.length === 0) return null;
  return (
    <Panel title={text.t('history.title')} note={text.t('history.note', { count: MAX_EXCHANGES })}>
      <Table
        caption={text.t('history.title')}
        columns={columnsOf(text, { onShow, onAgain })}
        rows={exchanges}
        rowKey={({ id }) => id}
        rowHeader="none"
        height="limited"
      />
    </Panel>
  );
}

const TONES: Readonly<Record<Answer['status'], BadgeTone>> = {
  waiting: 'neutral',
  writing: 'neutral',
  stopped: 'warn',
  done: 'good',
  failed: 'bad',
};

type Actions = Pick<HistoryProps, 'onShow' | 'onAgain'>;

function columnsOf(text: PlaygroundText, actions: Actions): readonly Column<Exchange>[] {
  const { t } = text;
  return [
    {
      key: 'asked',
      title: t('history.asked'),
      cell: ({ askedAt }) => <RelativeTime time={new Date(askedAt).toISOString()} />,
    },
    {
      key: 'model',
      title: t('history.model'),
      cell: ({ question }) => text.format.list(namesOf(question)),
    },
    {
      key: 'prompt',
      title: t('history.prompt'),
      cell: ({ question }) => (
        <span className={css['excerpt']}>{excerptOf(text, titleOf(question))}</span>
      ),
    },
    {
      key: 'seed',
      title: t('history.seed'),
      align: 'end',
      cell: ({ question }) => <code>{question.sampling.seed}</code>,
    },
    {
      key: 'time',
      title: t('history.time'),
      align: 'end',
      cell: ({ answers }) => timeWords(text, answers),
    },
    {
      key: 'state',
      title: t('history.state'),
      cell: ({ answers }) => <States answers={answers} />,
    },
    {
      key: 'actions',
      title: t('history.actions'),
      align: 'end',
      cell: (exchange) => <ExchangeActions exchange={exchange} {...actions} />,
    },
  ];
}

/** Until the last of the answers was there. */
function timeWords(text: PlaygroundText, answers: readonly Answer[]): string {
  if (!answers.every(isOver)) return text.format.number(Number.NaN);
  const longest = Math.max(...answers.map((answer) => ('totalMs' in answer ? answer.totalMs : 0)));
  return durationWords(text, longest);
}

function States({ answers }: { readonly answers: readonly Answer[] }) {
  const { t } = usePlaygroundText();
  return (
    <span className={css['states']}>
      {answers.map(({ status }, place) => (
        // eslint-disable-next-line react/no-array-index-key -- an answer is known by its place
        <Badge key={place} tone={TONES[status]}>
          {t(`state.${status}`)}
        </Badge>
      ))}
    </span>
  );
}

interface ExchangeActionsProps extends Actions {
  readonly exchange: Exchange;
}

function ExchangeActions({ exchange, onShow, onAgain }: ExchangeActionsProps) {
  const text = usePlaygroundText();
  const prompt = excerptOf(text, titleOf(exchange.question));
  return (
    <span className={css['rowActions']}>
      <IconButton
        icon="open"
        label={text.t('history.show', { prompt })}
        onClick={() => onShow(exchange)}
      />
      <IconButton
        icon="retry"
        label={text.t('history.again', { prompt })}
        onClick={() => onAgain(exchange)}
      />
    </span>
  );
}

const EXCERPT = 40;

function excerptOf({ t }: PlaygroundText, prompt: string): string {
  const characters = Array.from(prompt.trim());
  if (characters.length === 0) return t('history.noPrompt');
  return characters.length <= EXCERPT
    ? characters.join('')
    : `${characters.slice(0, EXCERPT).join('')}…`;
}
