import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { MODULE_TYPES } from '../../../brain/node-types.ts';
import type { BrainAnswered } from '../../../edge/brain/endpoints.ts';
import { askBrain, routesQuery } from '../../api/brain.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useBrainText } from './brain-text.ts';
import css from './Brain.module.css';

interface AskPanelProps {
  /** Told of the route that a question took. */
  readonly onRoute: (routeId: string) => void;
}

/** Modules that a question can be meant for; '' leaves it to the PFC. */
const TARGETS = ['', ...MODULE_TYPES] as const;
type Target = (typeof TARGETS)[number];

/** Gives the brain a text, and shows what came of it. */
export function AskPanel({ onRoute }: AskPanelProps) {
  const { t } = useBrainText();
  const [text, setText] = useState('');
  const [target, setTarget] = useState<Target>('');
  const queries = useQueryClient();
  const asking = useMutation({
    mutationFn: askBrain,
    onSuccess: ({ route }) => onRoute(route.route_id),
    onSettled: () => queries.invalidateQueries(routesQuery),
  });
  const isReady = text.trim() !== '' && !asking.isPending;
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) asking.mutate({ text, ...(target !== '' && { target }) });
  };
  return (
    <Panel title={t('ask.title')} note={t('ask.note')}>
      <form className={css['ask']} onSubmit={ask}>
        <TextField label={t('ask.text')} value={text} maxLength={2_000} onChange={setText} />
        <SelectField
          label={t('ask.target')}
          options={TARGETS.map((value) => ({ value, label: value || t('ask.fits') }))}
          value={target}
          onChange={setTarget}
        />
        <Button type="submit" tone="primary" state={isReady ? 'ready' : 'blocked'}>
          {t('ask.do')}
        </Button>
      </form>
      {asking.isError && <ErrorState error={asking.error} />}
      {asking.data && <Answer answered={asking.data} />}
    </Panel>
  );
}

function Answer({ answered: { answer, route } }: { readonly answered: BrainAnswered }) {
  const { t, format } = useBrainText();
  const { text, classes, command } = answer.outputs;
  const by = {
    node: answer.node_id,
    type: answer.module_type,
    ms: format.number(answer.total_ms),
  };
  const shares = classes
    ?.slice(0, 3)
    .map(({ label, probability }) => t('ask.class', { label, share: format.percent(probability) }));
  return (
    <Stack as="output" gap={1}>
      <strong>{text ?? format.list(shares ?? command?.map(format.number) ?? [])}</strong>
      <span>{t('ask.by', by)}</span>
      <span lang="en">{route.reason}</span>
    </Stack>
  );
}
