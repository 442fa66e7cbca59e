import { useQuery } from '@tanstack/react-query';
import {
  type Compatibility,
  CompatibilityAspect,
  type Mismatch,
} from '../../../edge/registry/contract/compatibility.ts';
import type { VersionRecord } from '../../../edge/registry/contract/model.ts';
import { compatibilityQuery } from '../../api/registry-versions.ts';
import { column } from '../../records/columns.ts';
import { Badge } from '../../ui/Badge.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import css from './Model.module.css';
import { type ModelsText, useModelsText } from './words/en-models.ts';

interface CompatibilityPanelProps {
  readonly base: VersionRecord;
  readonly other: VersionRecord;
}

/** Whether training can continue from the base with the other version. */
export function CompatibilityPanel({ base, other }: CompatibilityPanelProps) {
  const { t } = useModelsText();
  const hasSomething = other.model_spec !== null || other.tokenizer_digest !== null;
  return (
    <Panel title={t('compat.title')}>
      {hasSomething ? (
        <Check base={base} other={other} />
      ) : (
        <EmptyState title={t('compat.nothing')}>{t('compat.nothingHelp')}</EmptyState>
      )}
    </Panel>
  );
}

function Check({ base, other }: CompatibilityPanelProps) {
  return (
    <Resource query={useQuery(compatibilityQuery(base, other))} skeleton={{ lines: 3 }}>
      {(result) => <Result result={result} />}
    </Resource>
  );
}

function Result({ result }: { readonly result: Compatibility }) {
  const { t, format } = useModelsText();
  const { checked, compatible, mismatches } = result;
  const missing = CompatibilityAspect.options.filter((aspect) => !checked.includes(aspect));
  const words = (aspects: readonly CompatibilityAspect[]) =>
    format.list(aspects.map((aspect) => t(`compat.${aspect}`)));
  const verdict = compatible ? (missing.length === 0 ? 'yes' : 'partial') : 'no';
  const tone = ({ yes: 'good', partial: 'warn', no: 'bad' } as const)[verdict];
  return (
    <>
      <p>
        <Badge tone={tone}>{t(`compat.${verdict}`)}</Badge>
      </p>
      {checked.length > 0 && <p>{t('compat.checked', { aspects: words(checked) })}</p>}
      {missing.length > 0 && <p>{t('compat.missing', { aspects: words(missing) })}</p>}
      {mismatches.length > 0 && <Mismatches mismatches={mismatches} />}
    </>
  );
}

function Mismatches({ mismatches }: { readonly mismatches: readonly Mismatch[] }) {
  const text = useModelsText();
  return (
    <Table
      caption={text.t('compat.mismatches')}
      rows={mismatches}
      rowKey={({ aspect, field }) => `${aspect} ${field}`}
      columns={mismatchColumns(text)}
    />
  );
}

function mismatchColumns({ t }: ModelsText): readonly Column<Mismatch>[] {
  return [
    column(t('compare.field'), ({ field }) => <code>{field}</code>),
    column(t('compare.what'), ({ aspect }) => t(`compat.${aspect}`)),
    column(t('compat.expected'), (row) => (
      <code className={css['value']}>{valueText(row.expected)}</code>
    )),
    column(t('compat.actual'), (row) => (
      <code className={css['value']}>{valueText(row.actual)}</code>
    )),
  ];
}

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
