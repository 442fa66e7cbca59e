import { classNames } from '../../ui/class-names.ts';
import { ChartFrame } from '../chart/ChartFrame.tsx';
import { Stack } from '../../ui/Layout.tsx';
import css from './BarGroups.module.css';

/** One amount of a group. */
export interface GroupBar {
  readonly name: string;
  /** At least 0. */
  readonly value: number;
  /** The value with its unit. */
  readonly text: string;
  /** Its place among the colours of the charts. */
  readonly series: number;
  /** Hollow bars are what the solid ones are compared with. */
  readonly kind: 'solid' | 'hollow';
}

/** Amounts of one unit: the longest bar is the largest of the group. */
export interface BarGroup {
  readonly label: string;
  readonly bars: readonly GroupBar[];
}

interface BarGroupsProps {
  readonly title: string;
  readonly level?: 2 | 3;
  readonly groups: readonly BarGroup[];
  /** Titles of the table's columns: of groups, of their bars, of the values. */
  readonly columns: readonly [group: string, bar: string, value: string];
  readonly sentences: readonly string[];
}

/** Amounts side by side, in groups whose units may differ; each bar has its name and its value beside it. */
export function BarGroups({ title, level, groups, columns, sentences }: BarGroupsProps) {
  return (
    <ChartFrame
      title={title}
      {...(level ? { level } : {})}
      sentences={sentences}
      table={() => ({
        columns,
        rows: groups.flatMap(({ label, bars }) =>
          bars.map(({ name, text }) => [label, name, text]),
        ),
      })}
    >
      <Stack>
        {groups.map((group) => (
          <Group key={group.label} {...group} />
        ))}
      </Stack>
    </ChartFrame>
  );
}

function Group({ label, bars }: BarGroup) {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <Stack gap={1}>
      <p className={css['label']}>{label}</p>
      <Stack as="ul" gap={1}>
        {bars.map(({ name, value, text, series, kind }) => (
          <li key={name} className={css['row']}>
            <span className={css['name']}>{name}</span>
            <span className={css['track']} aria-hidden="true">
              <span
                className={classNames(css['bar'], css[kind])}
                style={{
                  width: `${(100 * value) / most}%`,
                  color: `var(--series-${series + 1})`,
                }}
              />
            </span>
            <span className={css['text']}>{text}</span>
          </li>
        ))}
      </Stack>
    </Stack>
  );
}
