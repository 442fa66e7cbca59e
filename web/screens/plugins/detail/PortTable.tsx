import type { PluginPort, PluginRecord } from '../../../../edge/plugins/contract/plugin.ts';
import { Table, type Column } from '../../../ui/Table.tsx';
import { usePluginsText, type PluginsText } from '../words/en-plugins.ts';
import { Note } from '../../../ui/Layout.tsx';

interface PortRow {
  readonly name: string;
  readonly way: 'input' | 'output';
  readonly port: PluginPort;
}

/** Inputs and outputs of `execute`. */
export function PortTable({ plugin }: { readonly plugin: PluginRecord }) {
  const text = usePluginsText();
  const { t } = text;
  const rows = [...rowsOf('input', plugin.inputs), ...rowsOf('output', plugin.outputs)];
  if (rows.length === 0) return <Note>{t('ports.none')}</Note>;
  return (
    <Table
      caption={t('ports.title')}
      columns={columnsOf(text)}
      rows={rows}
      rowKey={({ name, way }) => `${way} ${name}`}
    />
  );
}

const columnsOf = (text: PluginsText): readonly Column<PortRow>[] => [
  { key: 'name', title: text.t('ports.name'), cell: ({ name }) => <code>{name}</code> },
  { key: 'way', title: text.t('ports.way'), cell: (row) => wayOf(text, row) },
  { key: 'kind', title: text.t('ports.kind'), cell: ({ port }) => <code>{formOf(port)}</code> },
  {
    key: 'meaning',
    title: text.t('ports.meaning'),
    cell: ({ port }) => <span lang="en">{port.description}</span>,
  },
];

const rowsOf = (way: PortRow['way'], ports: Readonly<Record<string, PluginPort>>): PortRow[] =>
  Object.entries(ports).map(([name, port]) => ({ name, way, port }));

function wayOf({ t }: PluginsText, { way, port }: PortRow): string {
  if (way === 'output') return t('ports.output');
  return t(port.optional ? 'ports.optionalInput' : 'ports.input');
}

/** `spikes[T, N]`, or the name of a single value. */
function formOf({ kind, axes, values }: PluginPort): string {
  if (kind !== 'array') return kind;
  return `${values === 'spikes' ? 'spikes' : 'f32'}[${(axes ?? []).join(', ')}]`;
}
