import { useState } from 'react';
import type { RegionRecord } from '../../../edge/geo/contract/region.ts';
import { geo } from '../../api/geo.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import css from './Regions.module.css';
import { useRegionsText } from './regions-text.ts';
import { useGeoChange } from './use-geo-change.ts';

export interface MaintenanceDialogProps {
  readonly region: RegionRecord;
  readonly onClose: () => void;
}

/** Asks before a region is drained. */
export function MaintenanceDialog({ region, onClose }: MaintenanceDialogProps) {
  const { t } = useRegionsText();
  const [reason, setReason] = useState('');
  const [force, setForce] = useState(false);
  const { region_id: id } = region;
  const beginning = useGeoChange({
    change: () => geo.setRegionStatus(id, { status: 'maintenance', reason, force }),
    said: () => t('maintain.done', { region: id }),
    onDone: onClose,
  });
  return (
    <Dialog title={t('maintain.title', { region: id })} onClose={onClose}>
      <div className={css['form']}>
        <p>{t('maintain.body')}</p>
        {region.active && <p>{t('maintain.active')}</p>}
        <TextField
          label={t('dialog.reason')}
          hint={t('dialog.reasonHint')}
          value={reason}
          maxLength={256}
          onChange={setReason}
        />
        {region.active && (
          <Toggle state={force ? 'on' : 'off'} onToggle={(state) => setForce(state === 'on')}>
            {t('maintain.force')}
          </Toggle>
        )}
        {beginning.isError && <ErrorState error={beginning.error} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button
          tone="danger"
          state={beginning.isPending ? 'blocked' : 'ready'}
          onClick={() => beginning.mutate(undefined)}
        >
          {t('maintain.do')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
