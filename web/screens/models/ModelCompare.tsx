import { useQuery } from '@tanstack/react-query';
import type { ModelDetails, VersionRecord } from '../../../edge/registry/contract/model.ts';
import { versionQuery } from '../../api/registry-versions.ts';
import { column } from '../../records/columns.ts';
import { flatten } from '../../records/flatten.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { CompatibilityPanel } from './CompatibilityPanel.tsx';
import css from './Model.module.css';
import { type ModelsText, useModelsText } from './words/en-models.ts';

interface ModelCompareProps {
  readonly model: ModelDetails;
  /** The version to compare with; empty while none is chosen. */
  readonly other: string;
  readonly onOther: (version: string) => void;
}

/** The differences between the shown version and another. */
export function ModelCompare({ model, other, onOther }: ModelCompareProps) {
  const { t } = useModelsText();
  const others = model.versions.filter(({ version }) => version !== model.version);
  if (others.length === 0) {
    return <EmptyState title={t('compare.none')}>{t('compare.noneHelp')}</EmptyState>;
  }
  const isChosen = others.some(({ version }) => version === other);
  const options = others.map(({ version }) => ({ value: version, label: version }));
  return (
    <Stack>
      <div className={css['version']}>
        <SelectField
          label={t('compare.with')}
          options={[{ value: '', label: t('compare.choose') }, ...options]}
          value={isChosen ? other : ''}
          onChange={onOther}
        />
      </div>
      {isChosen ? (
        <Comparison model={model} other={other} />
      ) : (
        <EmptyState title={t('compare.choose')}>
          {t('compare.chooseHelp', { version: model.version })}
        </EmptyState>
      )}
    </Stack>
  );
}

function Comparison({ model, other }: Omit<ModelCompareProps, 'onOther'>) {
  return (
    <Resource
      query={useQuery(versionQuery({ id: model.model_id, version: other }))}
      skeleton={{ lines: 6, lineRem: 2.75 }}
    >
      {(version) => (
        <>
          <Differences left={model} right={version} />
          <CompatibilityPanel base={model} other={version} />
        </>
      )}
    </Resource>
  );
}

interface DifferencesProps {
  readonly left: VersionRecord;
  readonly right: VersionRecord;
}

function Differences({ left, right }: DifferencesProps) {
  const text = useModelsText();
  const { t } = text;
  const differences = compareVersions(left, right);
  if (differences.length === 0) {
    return (
      <EmptyState icon="check" title={t('compare.same')}>
        {t('compare.sameHelp')}
      </EmptyState>
    );
  }
  return (
    <>
      <output>{t('compare.differences', { count: differences.length })}</output>
      <Table
        caption={t('tab.compare')}
        rows={differences}
        rowKey={({ part, field }) => `${part} ${field}`}
        columns={differenceColumns(text, left.version, right.version)}
      />
    </>
  );
}

function differenceColumns(
  { t }: ModelsText,
  left: string,
  right: string,
): readonly Column<Difference>[] {
  return [
    column(t('compare.field'), ({ field }) => <code>{field}</code>),
    column(t('compare.what'), ({ part }) => t(`compare.${part}`)),
    column(left, (row) => <Value value={row.left} />),
    column(right, (row) => <Value value={row.right} />),
  ];
}

function Value({ value }: { readonly value: string | null }) {
  const { t } = useModelsText();
  if (value === null) return <span className={css['absent']}>{t('compare.absent')}</span>;
  return <code className={css['value']}>{value}</code>;
}

/** The parts of a version that are compared, in the order they are shown. */
const PARTS = ['facts', 'spec', 'digests', 'tags', 'files'] as const;
type Part = (typeof PARTS)[number];

/** One field in which two versions differ; null where one of them does not have it. */
interface Difference {
  readonly part: Part;
  readonly field: string;
  readonly left: string | null;
  readonly right: string | null;
}

/** The fields in which two versions differ. */
export function compareVersions(left: VersionRecord, right: VersionRecord): Difference[] {
  return PARTS.flatMap((part) => {
    const [a, b] = [fieldsOf(part, left), fieldsOf(part, right)];
    const names = [...new Set([...a.keys(), ...b.keys()])].toSorted();
    return names
      .map((field) => ({ part, field, left: a.get(field) ?? null, right: b.get(field) ?? null }))
      .filter((difference) => difference.left !== difference.right);
  });
}

function fieldsOf(part: Part, version: VersionRecord): ReadonlyMap<string, string> {
  switch (part) {
    case 'facts':
      return pick(version, [
        'name',
        'model_type',
        'framework',
        'architecture',
        'description',
        'status',
        'job_id',
        'parent_model_id',
        'parent_version',
      ]);
    case 'spec':
      return new Map(flatten(version.model_spec ?? {}, ''));
    case 'digests':
      return pick(version, [
        'manifest_digest',
        'model_spec_digest',
        'tokenizer_digest',
        'dataset_digest',
      ]);
    case 'tags':
      return new Map(Object.entries(version.tags));
    case 'files':
      return new Map(version.files.map((file) => [file.filename, file.digest]));
  }
}

function pick(version: VersionRecord, names: readonly (keyof VersionRecord)[]) {
  return new Map(
    names.flatMap((name) => {
      const value = version[name];
      return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
    }),
  );
}
