import { TextField } from '../../ui/TextField.tsx';
import { badTagOf, isAlias, type Filters } from './model-search.ts';
import { useModelsText } from './models-text.ts';
import css from './Models.module.css';

export interface ModelFiltersProps {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

/** What to find models by. The list follows while one types, so there is nothing to submit. */
export function ModelFilters({ filters, onChange }: ModelFiltersProps) {
  const { t } = useModelsText();
  const badTag = badTagOf(filters.tags);
  return (
    <search className={css['filters']} aria-label={t('models.filters')}>
      <TextField
        label={t('models.search')}
        type="search"
        value={filters.name}
        maxLength={128}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label={t('models.type')}
        type="search"
        value={filters.type}
        maxLength={128}
        onChange={(type) => onChange({ type })}
      />
      <TextField
        label={t('models.framework')}
        type="search"
        value={filters.framework}
        maxLength={128}
        onChange={(framework) => onChange({ framework })}
      />
      <TextField
        label={t('filter.alias')}
        type="search"
        value={filters.alias}
        maxLength={64}
        error={filters.alias === '' || isAlias(filters.alias) ? undefined : t('filter.badAlias')}
        onChange={(alias) => onChange({ alias })}
      />
      <TextField
        label={t('filter.tags')}
        type="search"
        value={filters.tags}
        maxLength={1024}
        hint={t('filter.tagsHint')}
        error={badTag === undefined ? undefined : t('filter.badTag', { tag: badTag })}
        onChange={(tags) => onChange({ tags })}
      />
    </search>
  );
}
