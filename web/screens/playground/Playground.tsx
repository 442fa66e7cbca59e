import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { loadedModelsQuery } from '../../api/inference.ts';
import { useSession } from '../../app/session.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { Answers } from './answer/Answers.tsx';
import { isOver, selectShown, type Exchange } from './exchanges/exchanges.ts';
import type { GivenMedia, Question } from './exchanges/question.ts';
import { pageExchanges, useExchanges } from './exchanges/playground-store.ts';
import { AskForm } from './form/AskForm.tsx';
import { useModels } from './form/TargetFields.tsx';
import { useModelInputs } from './form/use-model-inputs.ts';
import { History } from './history/History.tsx';
import { LoadedPanel } from './loaded/LoadedPanel.tsx';
import { isServiceAway, NoService } from './NoService.tsx';
import css from './Playground.module.css';
import {
  drawSeed,
  FIELDS,
  fieldsFrom,
  MAX_LINKED_PROMPT,
  questionFrom,
  type ChangeFields,
  type PlaygroundFields,
} from './playground-fields.ts';
import { usePlaygroundText } from './playground-text.ts';

/** Asks registered models: what they write, how long it takes, and what it costs in spikes. */
export function Playground() {
  const { t } = usePlaygroundText();
  const [fields, change] = useUrlState(FIELDS);
  const [prompt, setPrompt] = usePrompt(fields.prompt, change);
  useOwner();
  const exchanges = useExchanges((state) => state.exchanges);
  const shown = useExchanges(selectShown);
  const answers = useRef<HTMLDivElement>(null);
  const [media, setMedia] = useState<GivenMedia>({});
  const takes = useModelInputs(fields.model);
  const question = questionFrom(fields, { takes, prompt, media });
  const isAsking = shown !== undefined && !shown.answers.every(isOver);

  const ask = () => question && askWith(question, fields, change);
  const askAgain = (exchange: Exchange) => {
    change(fieldsFrom(exchange.question));
    setPrompt(exchange.question.prompt);
    setMedia(exchange.question.media);
    pageExchanges.ask(exchange.question);
    answers.current?.scrollIntoView({ block: 'nearest' });
  };
  const show = (exchange: Exchange) => {
    pageExchanges.show(exchange.id);
    answers.current?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <Screen lead={t('lead')} width="wide">
      <div className={css['playground']}>
        <div className={css['question']}>
          <AskForm
            fields={fields}
            onFields={change}
            prompt={prompt}
            onPrompt={setPrompt}
            takes={takes}
            media={media}
            onMedia={setMedia}
            question={question}
            onAsk={ask}
            onStop={isAsking ? () => pageExchanges.stop(shown.id) : undefined}
          />
        </div>
        <div className={css['results']} ref={answers}>
          <Obstacle otherwise={shown ? null : <NothingAsked />} />
          {shown && (
            <Answers
              exchange={shown}
              layer={fields.layer}
              onLayer={(layer) => change({ layer })}
              onAgain={askAgain}
            />
          )}
          <History exchanges={exchanges} onShow={show} onAgain={askAgain} />
          <Loaded target={fields.model} />
        </div>
      </div>
    </Screen>
  );
}

function askWith(question: Question, fields: PlaygroundFields, change: ChangeFields): void {
  const seed = fields.draw ? drawSeed() : fields.seed;
  // The seed that was drawn stays in the form: without drawing, the same is asked again.
  change({ seed });
  pageExchanges.ask({ ...question, sampling: { ...question.sampling, seed } });
}

interface ObstacleProps {
  /** Shown when there is no obstacle. */
  readonly otherwise: ReactNode;
}

/** The prerequisite that is missing, if any, before a request can be sent. */
function Obstacle({ otherwise }: ObstacleProps) {
  const { t } = usePlaygroundText();
  const { error } = useQuery(loadedModelsQuery);
  const models = useModels('');
  const isEmpty = models.data?.pages[0]?.total === 0;
  if (!isServiceAway(error) && !isEmpty) return otherwise;
  return (
    <Panel title={t('answer.title')}>{isServiceAway(error) ? <NoService /> : <NoModels />}</Panel>
  );
}

function NoModels() {
  const { t } = usePlaygroundText();
  return (
    <EmptyState
      icon="models"
      title={t('models.none')}
      action={
        <Link href="/lab" className={buttonClass('primary')}>
          {t('models.toLab')}
        </Link>
      }
    >
      {t('models.noneHelp')}
    </EmptyState>
  );
}

function NothingAsked() {
  const { t } = usePlaygroundText();
  return (
    <Panel title={t('answer.title')}>
      <EmptyState icon="playground" title={t('answer.empty')}>
        {t('answer.emptyHelp')}
      </EmptyState>
    </Panel>
  );
}

function Loaded({ target }: { readonly target: string }) {
  const { data, error, refetch } = useQuery(loadedModelsQuery);
  if (isServiceAway(error)) return null;
  if (data) return <LoadedPanel loaded={data} target={target} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Skeleton lines={5} lineRem={2.5} />;
}

/** The prompt of the form. The address follows while it is short enough for a link. */
function usePrompt(linked: string, change: ChangeFields) {
  const [prompt, setPrompt] = useState(linked);
  const write = (next: string) => {
    setPrompt(next);
    change({ prompt: next.length <= MAX_LINKED_PROMPT ? next : '' });
  };
  return [prompt, write] as const;
}

/** Clears the requests of one user before the next one signs in. */
function useOwner(): void {
  const session = useSession();
  const owner = session && `${session.kind} ${session.id ?? ''}`;
  useLayoutEffect(() => {
    if (owner !== undefined) pageExchanges.belongTo(owner);
  }, [owner]);
}
