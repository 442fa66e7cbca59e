import { useState } from 'react';
import * as z from 'zod/mini';
import type { GeoEvent } from '../../../edge/geo/contract/event.ts';
import { type RegionRecord, RegionStatus } from '../../../edge/geo/contract/region.ts';
import { classNames } from '../../ui/class-names.ts';
import { Segmented } from '../../ui/Segmented.tsx';
import { useNow } from '../../ui/use-now.ts';
import { ChartFrame } from '../../widgets/chart/ChartFrame.tsx';
import { TONES } from './RegionBadge.tsx';
import { Note } from '../../ui/Layout.tsx';
import css from './StateTimeline.module.css';
import { type RegionsText, useRegionsText } from './words/en-regions.ts';

/** The data of a `region.status` event. */
const Change = z.object({ from: RegionStatus, to: RegionStatus, reason: z.string() });
export type RegionChange = z.infer<typeof Change> & Pick<GeoEvent, 'seq' | 'subject' | 'time'>;

/** The state changes among events, in the same order. */
export const changesIn = (events: readonly GeoEvent[]): readonly RegionChange[] =>
  events.flatMap(({ type, seq, subject, time, data }) => {
    const parsed = z.safeParse(Change, data);
    return type === 'region.status' && parsed.success
      ? [{ ...parsed.data, seq, subject, time }]
      : [];
  });

const HOURS = { minutes: 1 / 6, hour: 1, day: 24, week: 168 } as const;
type Reach = keyof typeof HOURS;
const REACHES = Object.keys(HOURS) as readonly Reach[];

const DRAWN_EVERY_MS = 2_000;

interface StateTimelineProps {
  readonly regions: readonly RegionRecord[];
  /** The latest first. */
  readonly events: readonly GeoEvent[];
  /** Before this time nothing is known, in ms since 1970. */
  readonly knownSince: number;
}

interface Row {
  readonly id: string;
  readonly spans: readonly StateSpan[];
}

/** The states of the regions over time, as bars. */
export function StateTimeline({ regions, events, knownSince }: StateTimelineProps) {
  const text = useRegionsText();
  const { t, format } = text;
  const [reach, setReach] = useState<Reach>('hour');
  const until = useNow(DRAWN_EVERY_MS);
  const shown = { from: until - HOURS[reach] * 3_600_000, until };
  const changes = changesIn(events);
  const known = { from: Math.max(shown.from, knownSince), until };
  const rows = regions.map((region) => ({
    id: region.region_id,
    spans: spansOf(region, changes, known),
  }));
  return (
    <ChartFrame
      title={t('states.title')}
      sentences={rows.flatMap((row) => sentenceOf(text, row))}
      legend={<Legend text={text} />}
      controls={
        <Segmented
          legend={t('states.reach')}
          options={REACHES.map((value) => ({ value, label: t(`states.${value}`) }))}
          value={reach}
          onChange={setReach}
        />
      }
      table={() => tableOf(text, rows)}
    >
      <div className={css['chart']} aria-hidden="true">
        {rows.map((row) => (
          <Bar key={row.id} row={row} shown={shown} text={text} />
        ))}
        <div className={css['axis']}>
          <span>{format.dateTime(new Date(shown.from))}</span>
          <span>{t('states.now')}</span>
        </div>
      </div>
    </ChartFrame>
  );
}

interface BarProps {
  readonly row: Row;
  readonly shown: TimeSpan;
  readonly text: RegionsText;
}

function Bar({ row, shown, text: { t, format } }: BarProps) {
  return (
    <>
      <Note as="span">{row.id}</Note>
      <div className={css['bar']}>
        {row.spans.map(({ status, from, until }) => (
          <span
            key={from}
            className={lookOf(status)}
            title={`${t(`status.${status}`)}, ${format.dateTime(new Date(from))}`}
            style={{
              // A state that has just begun is as wide as the least, which is 2 px, and ends at the end.
              left: `min(${100 * shareOf(from, shown)}%, 100% - 2px)`,
              width: `${100 * (shareOf(until, shown) - shareOf(from, shown))}%`,
            }}
          />
        ))}
      </div>
    </>
  );
}

function Legend({ text: { t } }: { readonly text: RegionsText }) {
  return (
    <ul className={css['legend']}>
      {RegionStatus.options.map((status) => (
        <li key={status}>
          <span className={css['sample']} aria-hidden="true">
            <span className={lookOf(status)} />
          </span>
          {t(`status.${status}`)}
        </li>
      ))}
    </ul>
  );
}

const lookOf = (status: RegionStatus) => classNames(css['span'], css[TONES[status]], css[status]);

function sentenceOf({ t }: RegionsText, { id, spans }: Row): readonly string[] {
  const last = spans.at(-1);
  if (!last) return [];
  const status = t(`status.${last.status}`);
  return [t('states.sentence', { region: id, status, count: spans.length - 1 })];
}

function tableOf({ t, format }: RegionsText, rows: readonly Row[]) {
  return {
    columns: [
      t('column.region'),
      t('column.status'),
      t('column.since'),
      t('column.until'),
      t('column.lasted'),
    ],
    rows: rows.flatMap(({ id, spans }) =>
      spans.map(({ status, from, until }) => [
        id,
        t(`status.${status}`),
        format.dateTime(new Date(from)),
        format.dateTime(new Date(until)),
        t('states.seconds', { value: format.integer((until - from) / 1000) }),
      ]),
    ),
  };
}

/** Times in milliseconds since 1970. */
interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/** A span in one state, clipped to the time shown. */
interface StateSpan extends TimeSpan {
  readonly status: RegionStatus;
}

type Shown = Pick<RegionRecord, 'region_id' | 'status' | 'created_at'>;

/**
 * The contiguous states of a region since its creation.
 *
 * @param changes those of all regions, the latest first
 */
export function spansOf(
  { region_id: id, status, created_at: created }: Shown,
  changes: readonly RegionChange[],
  shown: TimeSpan,
): readonly StateSpan[] {
  const own = changes.filter(({ subject }) => subject === id).toReversed();
  const ends = [...own.map(({ time }) => Date.parse(time)), shown.until];
  const states = [own[0]?.from ?? status, ...own.map(({ to }) => to)];
  return states
    .map((state, i) => ({
      status: state,
      from: Math.max(shown.from, ends[i - 1] ?? Date.parse(created)),
      until: Math.min(shown.until, ends[i] ?? shown.until),
    }))
    .filter(({ from, until }) => until > from);
}

/** The position of a moment in a span, from 0 to 1. */
export const shareOf = (moment: number, { from, until }: TimeSpan): number =>
  (moment - from) / (until - from);
