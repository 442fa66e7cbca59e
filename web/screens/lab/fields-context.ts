import { createContext, use } from 'react';
import type { ChangeFields, LabFields } from './lab-fields.ts';
import type { ModelValues } from '../../model-form/model-values.ts';

/** The form of the lab: what the address holds, and how to change it. */
interface LabForm {
  readonly fields: LabFields;
  readonly change: ChangeFields;
  readonly model: ModelValues;
  readonly changeModel: (change: ModelValues) => void;
}

export const LabFormContext = createContext<LabForm | undefined>(undefined);

export function useLabForm(): LabForm {
  const form = use(LabFormContext);
  if (!form) throw new Error('useLabForm is called outside of <Lab>');
  return form;
}
