import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Lineage, MAX_LINEAGE_DEPTH } from '../../../../edge/contract/lineage.ts';
import type { ModelDetails } from '../../../../edge/contract/model.ts';
import { lineageQuery } from '../../../api/registry-versions.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { ChartFrame } from '../../../widgets/chart/ChartFrame.tsx';
import { type ModelsText, useModelsText } from '../models-text.ts';
import { LineageGraph } from './LineageGraph.tsx';
import css from '../Model.module.css';

export interface ModelLineageProps {
  readonly model: ModelDetails;
  readonly depth: number;
  readonly onDepth: (depth: number) => void;
}

/** What a version was made from and what was made from it, as a graph and as a table. */
export function ModelLineage({ model, depth, onDepth }: ModelLineageProps) {
  const text = useModelsText();
  const { t } = text;
  const address = { id: model.model_id, version: model.version };
  const query = useQuery({ ...lineageQuery(address, depth), placeholderData: keepPreviousData });
  const { data, error, refetch } = query;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={6} lineRem={3} />;
  if (data.nodes.length <= 1) {
    return <EmptyState title={t('lineage.alone')}>{t('lineage.aloneHelp')}</EmptyState>;
  }
  return (
    <ChartFrame
      title={t('lineage.title', { model: `${model.name} ${model.version}` })}
      sentences={sentencesOf(text, data, model)}
      controls={
        <div className={css['version']}>
          <NumberField
            label={t('lineage.depth')}
            value={depth}
            rule={{ kind: 'integer', min: 1, max: MAX_LINEAGE_DEPTH }}
            step={1}
            onChange={onDepth}
          />
        </div>
      }
      table={() => tableOf(text, data)}
    >
      <LineageGraph lineage={data} />
    </ChartFrame>
  );
}

function sentencesOf({ t }: ModelsText, { nodes, truncated }: Lineage, model: ModelDetails) {
  const things = (sign: number) =>
    t('lineage.things', {
      count: nodes.filter(({ generation }) => Math.sign(generation) === sign).length,
    });
  const sentence = t('lineage.sentence', {
    model: model.name,
    ancestors: things(-1),
    descendants: things(1),
  });
  return truncated ? [sentence, t('lineage.truncated')] : [sentence];
}

function tableOf({ t }: ModelsText, { nodes, edges }: Lineage) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const words = (id: string) => {
    const node = byId.get(id);
    return node ? `${t(`lineage.${node.kind}`)}: ${node.label}` : id;
  };
  return {
    columns: [t('lineage.to'), t('lineage.relation'), t('lineage.from')],
    rows: edges.map(({ source, target, relation }) => [
      words(source),
      t(`lineage.${relation}`),
      words(target),
    ]),
  };
}
