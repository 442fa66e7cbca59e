import { useMemo } from 'react';
import type { Floor } from '../../../../engine/index.ts';
import type { Level } from '../../../../engine/pictures.ts';
import { useLabText } from '../lab-text.ts';
import { useLab } from '../lab-store.ts';

/** The floors of a figure as lines of its chart; none before they are computed. */
export function useLevels(figure: Floor['figure']): readonly Level[] {
  const { t } = useLabText();
  const floors = useLab((state) => state.floors);
  return useMemo(
    () =>
      floors
        .filter((floor) => floor.figure === figure)
        .map(({ name, value }) => ({ name: t(`level.${name}`), value })),
    [floors, figure, t],
  );
}
