import { useState } from 'react';
import type { ReadService } from '../../api/gateway-client.ts';
import { useIsAdmin } from '../../app/session.ts';
import { Button } from '../../ui/Button.tsx';
import { useGatewayText } from './gateway-text.ts';
import { RegisterDialog } from './register/RegisterDialog.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';

/** What an administrator can do with a service that was registered; the others are configuration. */
export function ServiceActions({ service }: { readonly service: ReadService }) {
  const { t } = useGatewayText();
  const isAdmin = useIsAdmin();
  const [dialog, setDialog] = useState<'edit' | 'remove' | 'none'>('none');
  if (!isAdmin || service.record.origin !== 'registered') return null;
  const close = () => setDialog('none');
  return (
    <>
      <Button icon="write" onClick={() => setDialog('edit')}>
        {t('register.edit')}
      </Button>
      <Button tone="danger" icon="trash" onClick={() => setDialog('remove')}>
        {t('remove.open')}
      </Button>
      {dialog === 'edit' && <RegisterDialog known={service} onClose={close} />}
      {dialog === 'remove' && <RemoveDialog service={service} onClose={close} />}
    </>
  );
}
