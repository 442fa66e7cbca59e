import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { dashboardQuery, type MetricWindow } from '../../api/monitoring.ts';
import { optionsOf } from '../../records/options.ts';
import { Field } from '../../ui/Field.tsx';
import { Note, Row } from '../../ui/Layout.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import {
  type ChangeMetricFields,
  FIELDS,
  type MetricFields,
  RANGE_NAMES,
  STEP_NAMES,
  windowOf,
} from './metric-window.ts';
import { MetricPanel } from './MetricPanel.tsx';
import css from './Metrics.module.css';
import { RedPanel } from './RedPanel.tsx';
import { useMetricsText } from './words/en-metrics.ts';

const LIVE_EVERY_MS = 5_000;
const TYPING_MS = 300;

/** The metrics of the services over a common time range. */
export function Metrics() {
  const { t } = useMetricsText();
  const [fields, change] = useUrlState(FIELDS);
  const now = useMoment(fields.live);
  const window = windowOf(fields, now);
  const service = useSettled(fields.service.trim(), TYPING_MS);
  const [at, setAt] = useState<number | null>(null);
  const cursor = { at, move: setAt };
  const services = useQuery(dashboardQuery).data?.services ?? [];
  return (
    <Screen lead={t('metrics.lead')} width="wide">
      <MetricsBar
        fields={fields}
        onChange={change}
        services={services.map(({ name }) => name)}
        window={window}
      />
      {window && service !== '' && (
        <>
          <RedPanel service={service} window={window} cursor={cursor} />
          <MetricPanel
            key={service}
            service={service}
            window={window}
            cursor={cursor}
            fields={fields}
            onChange={change}
          />
        </>
      )}
    </Screen>
  );
}

/** Now while live, else the moment of the pause. */
function useMoment(isLive: boolean): number {
  const now = useNow(LIVE_EVERY_MS);
  const [stopped, setStopped] = useState(now);
  if (isLive && stopped !== now) setStopped(now);
  return isLive ? now : stopped;
}

interface MetricsBarProps {
  readonly fields: MetricFields;
  readonly onChange: ChangeMetricFields;
  /** Suggested names. */
  readonly services: readonly string[];
  readonly window: MetricWindow | undefined;
}

/** The service, time range, step and live switch. */
function MetricsBar({ fields, onChange, services, window }: MetricsBarProps) {
  const { t, format } = useMetricsText();
  return (
    <Row as="search" gap={[3, 4]} align="flex-end" aria-label={t('bar.region')}>
      <ServiceField fields={fields} onChange={onChange} services={services} />
      <Segmented
        legend={t('bar.range')}
        options={optionsOf(RANGE_NAMES, (value) => (value === 'custom' ? t('bar.custom') : value))}
        value={fields.range}
        onChange={(range) => onChange({ range })}
      />
      {fields.range === 'custom' && (
        <CustomRange fields={fields} onChange={onChange} isWrong={window === undefined} />
      )}
      <div className={css['step']}>
        <SelectField
          label={t('bar.step')}
          options={optionsOf(STEP_NAMES, (value) => (value === 'auto' ? t('bar.auto') : value))}
          value={fields.step}
          onChange={(step) => onChange({ step })}
        />
      </div>
      <Toggle
        state={fields.live ? 'on' : 'off'}
        onToggle={(state) => onChange({ live: state === 'on' })}
      >
        {t('bar.live')}
      </Toggle>
      {window && (
        <Note as="span">{t('bar.updated', { time: format.dateTime(new Date(window.to)) })}</Note>
      )}
    </Row>
  );
}

function ServiceField({ fields, onChange, services }: Omit<MetricsBarProps, 'window'>) {
  const { t } = useMetricsText();
  const list = useId();
  return (
    <div className={css['service']}>
      <Field label={t('bar.service')}>
        {(control) => (
          <>
            <input
              {...control}
              type="search"
              list={list}
              value={fields.service}
              maxLength={128}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onChange({ service: event.target.value })}
            />
            <datalist id={list}>
              {services.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </datalist>
          </>
        )}
      </Field>
    </div>
  );
}

interface CustomRangeProps extends Pick<MetricsBarProps, 'fields' | 'onChange'> {
  readonly isWrong: boolean;
}

function CustomRange({ fields, onChange, isWrong }: CustomRangeProps) {
  const { t } = useMetricsText();
  return (
    <>
      {(['from', 'to'] as const).map((end) => (
        <Field
          key={end}
          label={t(`bar.${end}`)}
          error={isWrong && end === 'from' ? t('bar.badTime') : undefined}
        >
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              value={fields[end]}
              onChange={(event) => onChange({ [end]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </>
  );
}
