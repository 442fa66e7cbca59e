import { CausalRelation } from '../../../../edge/memory/contract/causal.ts';
import css from '../Graph.module.css';
import { useMemoryText } from '../memory-text.ts';

/** How the kinds of edges look, and the marks on them. */
export function RelationLegend() {
  const { t } = useMemoryText();
  return (
    <ul className={css['legend']} aria-label={t('relation.legend')}>
      {CausalRelation.options.map((relation) => (
        <li key={relation}>
          <svg viewBox="0 0 40 10" aria-hidden="true">
            <path
              className={css[relation]}
              strokeWidth={2}
              d="M0 5H38"
              markerEnd={relation === 'correlates' ? undefined : `url(#end-${relation})`}
            />
          </svg>
          {t(`relation.${relation}`)}
        </li>
      ))}
      <li>
        <svg viewBox="0 0 40 10" aria-hidden="true">
          <path className={css['contradicted']} d="M15 0l10 10m0 -10l-10 10" />
        </svg>
        {t('relation.contradicted')}
      </li>
    </ul>
  );
}
