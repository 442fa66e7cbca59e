import { useState } from 'react';
import type { RegionRecord } from '../../../edge/geo/contract/region.ts';
import { geo } from '../../api/geo.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Row, Stack } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { FailoverDialog, useGeoChange } from './FailoverDialog.tsx';
import { RegionBadge } from './RegionBadge.tsx';
import { useRegionsText } from './words/en-regions.ts';

interface RegionPanelProps {
  readonly region: RegionRecord;
  readonly regions: readonly RegionRecord[];
  /** The epoch of the state shown. */
  readonly epoch: number;
  readonly onClose: () => void;
}

/** One region: its status and actions. */
export function RegionPanel({ region, regions, epoch, onClose }: RegionPanelProps) {
  const { t } = useRegionsText();
  const [dialog, setDialog] = useState<'failover' | 'maintenance' | undefined>(undefined);
  const close = () => setDialog(undefined);
  const ending = useGeoChange({
    change: () =>
      geo.setRegionStatus({ params: { region_id: region.region_id }, body: { status: 'online' } }),
    said: () => t('one.ended', { region: region.region_id }),
  });
  return (
    <Panel
      title={region.region_id}
      note={<span lang="en">{region.display_name}</span>}
      actions={
        <Button icon="close" onClick={onClose}>
          {t('one.close')}
        </Button>
      }
    >
      <RegionFacts region={region} />
      {ending.isError && <ErrorState error={ending.error} />}
      <Row>
        {region.active && (
          <Button onClick={() => setDialog('failover')}>{t('one.failover')}</Button>
        )}
        {region.status === 'maintenance' ? (
          <Button
            state={ending.isPending ? 'blocked' : 'ready'}
            onClick={() => ending.mutate(undefined)}
          >
            {t('one.online')}
          </Button>
        ) : (
          <Button onClick={() => setDialog('maintenance')}>{t('one.maintain')}</Button>
        )}
      </Row>
      {dialog === 'failover' && (
        <FailoverDialog from={region.region_id} regions={regions} epoch={epoch} onClose={close} />
      )}
      {dialog === 'maintenance' && <MaintenanceDialog region={region} onClose={close} />}
    </Panel>
  );
}

function RegionFacts({ region }: { readonly region: RegionRecord }) {
  const { t, format } = useRegionsText();
  const { location, draining_until: until } = region;
  return (
    <Facts
      facts={[
        { label: t('column.status'), value: <RegionBadge status={region.status} /> },
        { label: t('one.reason'), value: <span lang="en">{region.status_reason}</span> },
        { label: t('one.since'), value: <RelativeTime time={region.status_since} /> },
        ...(until === null
          ? []
          : [{ label: t('one.draining'), value: format.dateTime(new Date(until)) }]),
        {
          label: t('column.nodes'),
          value: t('nodes.of', { active: region.active_node_count, total: region.node_count }),
        },
        { label: t('one.provider'), value: region.provider },
        {
          label: t('one.place'),
          value: t('one.placeValue', { lat: `${location.lat}`, lon: `${location.lon}` }),
        },
      ]}
    />
  );
}

interface MaintenanceDialogProps {
  readonly region: RegionRecord;
  readonly onClose: () => void;
}

/** Confirms the maintenance of a region. */
function MaintenanceDialog({ region, onClose }: MaintenanceDialogProps) {
  const { t } = useRegionsText();
  const [reason, setReason] = useState('');
  const [force, setForce] = useState(false);
  const { region_id: id } = region;
  const beginning = useGeoChange({
    change: () =>
      geo.setRegionStatus({
        params: { region_id: id },
        body: { status: 'maintenance', reason, force },
      }),
    said: () => t('maintain.done', { region: id }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t('maintain.title', { region: id })}
      submit={t('maintain.do')}
      tone="danger"
      request={beginning}
      onSubmit={() => beginning.mutate(undefined)}
      onClose={onClose}
    >
      <Stack gap={3}>
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
      </Stack>
    </FormDialog>
  );
}
