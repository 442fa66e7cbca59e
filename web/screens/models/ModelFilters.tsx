import { useText } from '../../i18n/text-context.ts';
import { TextField } from '../../ui/TextField.tsx';
import type { Filters } from './model-search.ts';
import css from './Models.module.css';

export interface ModelFiltersProps {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

/** What to find models by. The list follows while one types, so there is nothing to submit. */
export function ModelFilters({ filters, onChange }: ModelFiltersProps) {
  const { t } = useText();
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
    </search>
  );
}
