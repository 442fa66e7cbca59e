import { type KeyboardEvent, useRef, useState } from 'react';
import type { LatencyMatrix, LatencySource } from '../../../edge/geo/contract/latency.ts';
import { Note } from '../../ui/Layout.tsx';
import { ChartFrame } from '../../widgets/chart/ChartFrame.tsx';
import css from './Regions.module.css';
import { type RegionsText, useRegionsText } from './words/en-regions.ts';

/** The latency between regions as a heat map. */
export function LatencyPanel({ matrix }: { readonly matrix: LatencyMatrix }) {
  const text = useRegionsText();
  const cells = cellsOf(matrix);
  const ways = waysIn(cells);
  return (
    <ChartFrame
      title={text.t('latency.title')}
      sentences={sentencesOf(text, ways)}
      table={() => tableOf(text, ways)}
    >
      <Note>{text.t('latency.help')}</Note>
      <LatencyGrid ids={Object.keys(matrix.matrix)} cells={cells} />
    </ChartFrame>
  );
}

interface LatencyGridProps {
  readonly ids: readonly string[];
  readonly cells: LatencyCells;
}

function LatencyGrid({ ids, cells }: LatencyGridProps) {
  const { t } = useRegionsText();
  const table = useRef<HTMLTableElement>(null);
  const [spot, setSpot] = useState({ row: 0, column: Math.min(1, ids.length - 1) });
  const longest = Math.max(...waysIn(cells).map(({ ms }) => ms), 1);
  const move = (event: KeyboardEvent) => {
    const next = moved(event.key, spot, ids.length);
    if (!next) return;
    event.preventDefault();
    setSpot(next);
    const row = table.current?.tBodies[0]?.rows[next.row];
    row?.querySelectorAll('td')[next.column]?.focus();
  };
  return (
    <div className={css['scroll']}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys go from cell to cell */}
      <table
        ref={table}
        className={css['grid']}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- its cells take the focus
        role="grid"
        aria-label={t('latency.grid')}
        onKeyDown={move}
      >
        <thead>
          <tr>
            <th scope="col">{t('latency.corner')}</th>
            {ids.map((id) => (
              <th key={id} scope="col">
                {id}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ids.map((id, row) => (
            <tr key={id}>
              <th scope="row">{id}</th>
              {cells[row]?.map((cell, column) => (
                <GridCell
                  key={ids[column]}
                  cell={cell}
                  longest={longest}
                  isCurrent={row === spot.row && column === spot.column}
                  onFocus={() => setSpot({ row, column })}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface GridCellProps {
  readonly cell: LatencyCell | undefined;
  readonly longest: number;
  /** Whether Tab comes to it. */
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
}

/** Maximum colour of a cell, per cent: its number stays readable in both themes. */
const STRONGEST = 45;

function GridCell({ cell, longest, isCurrent, onFocus }: GridCellProps) {
  const text = useRegionsText();
  const isWay = cell !== undefined && cell.from !== cell.to;
  const strength = isWay ? (STRONGEST * cell.ms) / longest : 0;
  return (
    <td
      // eslint-disable-next-line jsx-a11y/no-redundant-roles -- it is one only within a grid
      role="gridcell"
      tabIndex={isCurrent ? 0 : -1}
      aria-label={isWay ? sentenceOf(text, cell) : undefined}
      style={{ background: `color-mix(in srgb, var(--accent) ${strength}%, transparent)` }}
      onFocus={onFocus}
    >
      {isWay && cell.source === 'estimated' ? '~' : ''}
      {isWay ? text.format.number(cell.ms) : text.format.number(Number.NaN)}
    </td>
  );
}

const sentenceOf = ({ t, format }: RegionsText, { source, from, to, ms }: LatencyCell): string =>
  t(`latency.${source}`, { from, to, value: format.number(ms) });

function sentencesOf(text: RegionsText, ways: readonly LatencyCell[]): readonly string[] {
  const { t, format } = text;
  const [longest] = ways.toSorted((a, b) => b.ms - a.ms);
  if (!longest) return [];
  const { from, to, ms } = longest;
  const measured = ways.filter(({ source }) => source === 'measured').length;
  return [
    t('latency.longest', { from, to, value: format.number(ms) }),
    t('latency.counts', { measured, estimated: ways.length - measured }),
  ];
}

function tableOf({ t, format }: RegionsText, ways: readonly LatencyCell[]) {
  return {
    columns: [t('column.from'), t('column.to'), t('column.latency'), t('column.source')],
    rows: ways.map(({ from, to, ms, source }) => [
      from,
      to,
      format.number(ms),
      t(`source.${source}`),
    ]),
  };
}

/** One-way latency between two regions. */
interface LatencyCell {
  readonly from: string;
  readonly to: string;
  readonly ms: number;
  readonly source: LatencySource;
}

/** `[row][column]`, both in the order of `ids`; undefined where the matrix has nothing. */
type LatencyCells = readonly (readonly (LatencyCell | undefined)[])[];

export function cellsOf({ matrix, sources }: LatencyMatrix): LatencyCells {
  const ids = Object.keys(matrix);
  return ids.map((from) =>
    ids.map((to) => {
      const ms = matrix[from]?.[to];
      const source = sources[from]?.[to] ?? 'estimated';
      return ms === undefined ? undefined : { from, to, ms, source };
    }),
  );
}

/** The cells of two different regions. */
export const waysIn = (cells: LatencyCells): readonly LatencyCell[] =>
  cells.flat().flatMap((cell) => (cell && cell.from !== cell.to ? [cell] : []));

const MOVES: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

interface Spot {
  readonly row: number;
  readonly column: number;
}

/** The cell that a key moves to in a square of `size`; undefined for other keys. */
export function moved(key: string, { row, column }: Spot, size: number): Spot | undefined {
  if (key === 'Home') return { row, column: 0 };
  if (key === 'End') return { row, column: size - 1 };
  const move = MOVES[key];
  if (!move) return undefined;
  const within = (at: number) => Math.min(size - 1, Math.max(0, at));
  return { row: within(row + move[0]), column: within(column + move[1]) };
}
