import { NumberField } from '../../../ui/NumberField.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { useLabForm } from '../fields-context.ts';
import { BUDGET_KINDS, type LabFields, RULES } from '../lab-fields.ts';
import { useLabText } from '../lab-text.ts';
import { useLab } from '../lab-store.ts';

/** How far an arrow key goes. */
const STEPS: Readonly<Record<LabFields['budget_in'], number>> = {
  steps: 100,
  epochs: 0.1,
  minutes: 1,
};

/** How long to train: an amount and its unit. A spent budget can be raised, and the run goes on. */
export function BudgetFields() {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  const isSpent = useLab(({ run }) => run.status === 'finished');
  const { budget, budget_in: unit } = fields;
  return (
    <>
      <NumberField
        label={t('setup.budget')}
        hint={isSpent ? t('setup.raise') : undefined}
        value={budget}
        rule={unit === 'steps' ? RULES.steps : RULES.budget}
        step={STEPS[unit]}
        onChange={(value) => change({ budget: value })}
      />
      <SelectField
        label={t('setup.budgetUnit')}
        options={BUDGET_KINDS.map((value) => ({ value, label: t(`setup.${value}`) }))}
        value={unit}
        onChange={(chosen) => change({ budget_in: chosen })}
      />
    </>
  );
}
