import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { Table, type Column } from '../../web/ui/Table.tsx';
import { expectAccessible, render } from './render.tsx';

interface Unit {
  readonly name: string;
  readonly spikes: number | null;
}

const COLUMNS: readonly Column<Unit>[] = [
  { key: 'name', title: 'Neuron', sortBy: ({ name }) => name, cell: ({ name }) => name },
  {
    key: 'spikes',
    title: 'Spikes',
    align: 'end',
    sortBy: ({ spikes }) => spikes,
    cell: ({ spikes }) => spikes ?? '–',
  },
];
const rowKey = ({ name }: Unit) => name;

const names = () =>
  [...document.querySelectorAll('tbody th')].map((cell) => cell.textContent ?? '');

describe('a table', () => {
  it('sorts by a column in either order, with what is unknown last', async () => {
    const rows = [
      { name: 'n10', spikes: 3 },
      { name: 'n9', spikes: null },
      { name: 'n2', spikes: 20 },
    ];
    render(<Table caption="Neurons" columns={COLUMNS} rows={rows} rowKey={rowKey} />);
    await expect.element(page.getByRole('table', { name: 'Neurons' })).toBeVisible();
    expect(names()).toEqual(['n10', 'n9', 'n2']);

    await page.getByRole('button', { name: 'Neuron' }).click();
    expect(names()).toEqual(['n2', 'n9', 'n10']);

    const spikes = page.getByRole('button', { name: 'Spikes' });
    await spikes.click();
    expect(names()).toEqual(['n10', 'n2', 'n9']);
    await spikes.click();
    expect(names()).toEqual(['n2', 'n10', 'n9']);
    await expect
      .element(page.getByRole('columnheader', { name: 'Spikes' }))
      .toHaveAttribute('aria-sort', 'descending');
    await expectAccessible();
  });

  it('renders only the rows in view of a long list, and says how many there are', async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => ({ name: `n${i}`, spikes: i }));
    render(
      <Table caption="Neurons" columns={COLUMNS} rows={rows} rowKey={rowKey} height="limited" />,
    );
    const table = page.getByRole('table', { name: 'Neurons' });
    await expect.element(table).toHaveAttribute('aria-rowcount', '5001');
    expect(names().length).toBeLessThan(100);

    const scroller = document.querySelector('section')!;
    scroller.scrollTop = scroller.scrollHeight;
    await expect.element(page.getByRole('rowheader', { name: 'n4999' })).toBeVisible();
    expect(names()).not.toContain('n0');
  });
});
