import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type KeyRecord, KeyStatus } from '../../../edge/access/contract/keys.ts';
import { keysQuery } from '../../api/access-client.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Grid } from '../../ui/Layout.tsx';
import { InfiniteList } from '../../ui/Resource.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { oneOf } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { useKeysText } from './words/en-keys.ts';
import { Part } from './Part.tsx';
import { KeyTable } from './KeyTable.tsx';
import { NewKeyDialog } from './new-key/NewKeyDialog.tsx';
import { RevokeDialog } from './RevokeDialog.tsx';

const STATUSES = ['', ...KeyStatus.options] as const;
const FIELDS = { status: oneOf('', STATUSES) };

type Open =
  | { readonly dialog: 'none' | 'new' }
  | { readonly dialog: 'revoke'; readonly key: KeyRecord };

/** The API keys, found by status; new ones are made and old ones revoked here. */
export function KeyList() {
  const { t } = useKeysText();
  const [{ status }, setState] = useUrlState(FIELDS);
  const [open, setOpen] = useState<Open>({ dialog: 'none' });
  const close = () => setOpen({ dialog: 'none' });
  return (
    <Part
      title={t('keys.title')}
      note={t('keys.note')}
      actions={
        <Button tone="primary" icon="add" onClick={() => setOpen({ dialog: 'new' })}>
          {t('keys.create')}
        </Button>
      }
    >
      <Grid min="12rem" columns="fill" gap={[3, 4]}>
        <SelectField
          label={t('keys.status')}
          value={status}
          options={STATUSES.map((value) => ({
            value,
            label: value === '' ? t('keys.any') : t(`status.${value}`),
          }))}
          onChange={(chosen) => setState({ status: chosen })}
        />
      </Grid>
      <Results
        status={status === '' ? undefined : status}
        onRevoke={(key) => setOpen({ dialog: 'revoke', key })}
      />
      {open.dialog === 'new' && <NewKeyDialog onClose={close} />}
      {open.dialog === 'revoke' && <RevokeDialog apiKey={open.key} onClose={close} />}
    </Part>
  );
}

interface ResultsProps {
  readonly status: KeyStatus | undefined;
  readonly onRevoke: (key: KeyRecord) => void;
}

function Results({ status, onRevoke }: ResultsProps) {
  const { t } = useKeysText();
  const which = status === undefined ? 'empty' : 'noMatch';
  return (
    <InfiniteList
      query={useInfiniteQuery(keysQuery(status))}
      skeleton={{ lines: 6, lineRem: 3.25 }}
      itemsOf={(page) => page.keys}
      empty={
        <EmptyState icon="key" title={t(`keys.${which}`)}>
          {t(`keys.${which}Help`)}
        </EmptyState>
      }
      summary={(shown, { total }) => t('keys.shown', { shown, count: total })}
      more={t('keys.more')}
    >
      {(keys) => <KeyTable keys={keys} onRevoke={onRevoke} />}
    </InfiniteList>
  );
}
