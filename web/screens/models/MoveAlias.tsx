import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemError } from '../../../edge/contract/problem-error.ts';
import type { ModelDetails } from '../../../edge/registry/contract/model.ts';
import { aliasQuery, setAlias } from '../../api/registry-versions.ts';
import { useServices } from '../../app/services.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogForm } from '../../ui/FormDialog.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { isAlias } from './model-search.ts';
import css from './Model.module.css';
import { useModelsText } from './words/en-models.ts';

export interface AliasRow {
  readonly alias: string;
  readonly version: string;
}

/** The aliases of a model by their names, each with where it points. */
export const aliasesOf = ({ versions }: ModelDetails): AliasRow[] =>
  versions
    .flatMap(({ version, aliases }) => aliases.map((alias) => ({ alias, version })))
    .toSorted((a, b) => (a.alias < b.alias ? -1 : 1));

interface MoveAliasProps {
  readonly model: ModelDetails;
  /** The alias to move; a new one where it is left out. */
  readonly alias?: AliasRow;
  readonly onClose: () => void;
}

/** Points an alias to a version, with a preview of the change. */
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
  const { error, isPending } = move;
  const isConflict = error instanceof ProblemError && error.code === 'precondition_failed';
  return (
    <DialogForm
      submit={t(from === null ? 'alias.confirmNew' : 'alias.confirmMove')}
      isReady={from !== undefined && from !== version}
      request={{ error: isConflict ? null : error, isPending }}
      onSubmit={() => move.mutate(version)}
      onClose={onClose}
    >
      <SelectField
        label={t('alias.target')}
        options={model.versions.map((other) => ({ value: other.version, label: other.version }))}
        value={version}
        onChange={setVersion}
      />
      {from !== undefined && <MovePreview alias={name} from={from} to={version} />}
      {isConflict && (
        <p className={css['conflict']} role="alert">
          {t('alias.changed')}
        </p>
      )}
    </DialogForm>
  );
}

/** The alias's target (null: none; undefined: unknown) and the conditional change. */
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
  // If it was created in the meantime, setAlias is refused.
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

/** A preview of the change. */
function MovePreview({ alias, from, to }: MovePreviewProps) {
  const { t } = useModelsText();
  const sentence =
    from === null
      ? t('alias.creates', { alias, to })
      : from === to
        ? t('alias.stays', { alias, to })
        : t('alias.moves', { alias, from, to });
  return (
    <Stack as="output" gap={2} style={{ minHeight: '4rem' }}>
      <span>{sentence}</span>
      {from !== null && (
        <span className={css['arrow']} aria-hidden="true">
          <code>{from}</code>
          {' → '}
          <code>{to}</code>
        </span>
      )}
    </Stack>
  );
}
