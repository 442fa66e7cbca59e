import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { ModelDetails } from '../../../../edge/registry/contract/model.ts';
import { ProblemError } from '../../../../edge/contract/problem-error.ts';
import { aliasQuery, setAlias } from '../../../api/registry-versions.ts';
import { useServices } from '../../../app/services.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { isAlias } from '../model-search.ts';
import css from '../Model.module.css';
import { useModelsText } from '../models-text.ts';
import { aliasesOf, type AliasRow } from './alias-table.ts';

export interface MoveAliasProps {
  readonly model: ModelDetails;
  /** The alias to move; a new one where it is left out. */
  readonly alias?: AliasRow;
  readonly onClose: () => void;
}

/** Points an alias to a version, after it has said from where to where. */
export function MoveAlias({ model, alias, onClose }: MoveAliasProps) {
  const { t } = useModelsText();
  const [name, setName] = useState(alias?.alias ?? '');
  const title = alias ? t('alias.move', { alias: name }) : t('alias.new');
  return (
    <Dialog title={title} onClose={onClose}>
      {!alias && <NameField name={name} onChange={setName} />}
      <Target model={model} name={name} onClose={onClose} />
    </Dialog>
  );
}

interface TargetProps extends Omit<MoveAliasProps, 'alias'> {
  readonly name: string;
}

function Target({ model, name, onClose }: TargetProps) {
  const { t } = useModelsText();
  const [version, setVersion] = useState(model.version);
  const { move, from } = useMove(model, name, onClose);
  const isReady = from !== undefined && from !== version && !move.isPending;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isReady) move.mutate(version);
  }

  return (
    <form className={css['form']} onSubmit={submit}>
      <SelectField
        label={t('alias.target')}
        options={model.versions.map((other) => ({ value: other.version, label: other.version }))}
        value={version}
        onChange={setVersion}
      />
      {from !== undefined && <MovePreview alias={name} from={from} to={version} />}
      {move.isError && <MoveFailure error={move.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button type="submit" tone="primary" state={isReady ? 'ready' : 'blocked'}>
          {t(from === null ? 'alias.confirmNew' : 'alias.confirmMove')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Where the alias points now (null: nowhere; undefined: not known), and the change from exactly there. */
function useMove(model: ModelDetails, name: string, onClose: () => void) {
  const id = model.model_id;
  const { t } = useModelsText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  const isThere = aliasesOf(model).some(({ alias }) => alias === name);
  const { data: seen } = useQuery({ ...aliasQuery(id, name), enabled: isThere });
  const move = useMutation({
    mutationFn: (to: string) => setAlias({ id, name, seen: seen ?? null }, to),
    async onSuccess({ version }) {
      toasts.show(t('alias.moved', { alias: name, to: version }), 'good');
      onClose();
      await queries.invalidateQueries({ queryKey: ['models'] });
    },
    onError: () => queries.invalidateQueries({ queryKey: ['models'] }),
  });
  // One that came to be in the meantime is refused: see setAlias.
  const from = isThere && seen !== null ? seen?.version : null;
  return { move, from: isAlias(name) ? from : undefined };
}

interface NameFieldProps {
  readonly name: string;
  readonly onChange: (name: string) => void;
}

function NameField({ name, onChange }: NameFieldProps) {
  const { t } = useModelsText();
  return (
    <TextField
      label={t('alias.name')}
      hint={t('alias.nameHint')}
      error={name === '' || isAlias(name) ? undefined : t('filter.badAlias')}
      value={name}
      maxLength={64}
      onChange={onChange}
    />
  );
}

interface MovePreviewProps {
  readonly alias: string;
  readonly from: string | null;
  readonly to: string;
}

/** What is about to happen, in a sentence and at a glance. */
function MovePreview({ alias, from, to }: MovePreviewProps) {
  const { t } = useModelsText();
  const sentence =
    from === null
      ? t('alias.creates', { alias, to })
      : from === to
        ? t('alias.stays', { alias, to })
        : t('alias.moves', { alias, from, to });
  return (
    <output className={css['move']}>
      <span>{sentence}</span>
      {from !== null && (
        <span className={css['arrow']} aria-hidden="true">
          <code>{from}</code>
          {' → '}
          <code>{to}</code>
        </span>
      )}
    </output>
  );
}

function MoveFailure({ error }: { readonly error: unknown }) {
  const { t } = useModelsText();
  if (!(error instanceof ProblemError && error.code === 'precondition_failed')) {
    return <ErrorState error={error} />;
  }
  return (
    <p className={css['conflict']} role="alert">
      {t('alias.changed')}
    </p>
  );
}
