import { useMemo } from 'react';
import type { SimulationDescription } from '../../../../engine/index.ts';
import {
  type EditableNumber,
  type EditablePart,
  editableParts,
  type NumberPath,
  withNumber,
} from '../../../simulator/editable-numbers.ts';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import bench from '../../../ui/Workbench.module.css';
import css from '../Simulator.module.css';
import { useSimulatorText, type SimulatorText } from '../simulator-text.ts';

interface PartsEditorProps {
  readonly description: SimulationDescription;
  readonly onChange: (description: SimulationDescription) => void;
}

const KINDS = ['population', 'projection', 'stimulus'] as const;
const TITLES = {
  population: 'part.populations',
  projection: 'part.projections',
  stimulus: 'part.stimuli',
} as const;

/** Every number of the network, by its populations, projections and stimuli. */
export function PartsEditor({ description, onChange }: PartsEditorProps) {
  const { t } = useSimulatorText();
  const parts = useMemo(() => editableParts(description), [description]);
  const set = (path: NumberPath, value: number) => onChange(withNumber(description, path, value));
  return KINDS.map((kind) => {
    const ofKind = parts.filter((part) => part.kind === kind);
    if (ofKind.length === 0) return null;
    return (
      <Panel key={kind} title={t(TITLES[kind])}>
        <div>
          {ofKind.map((part) => (
            <Part key={part.index} part={part} onChange={set} />
          ))}
        </div>
      </Panel>
    );
  });
}

interface PartProps {
  readonly part: EditablePart;
  readonly onChange: (path: NumberPath, value: number) => void;
}

function Part({ part, onChange }: PartProps) {
  const text = useSimulatorText();
  return (
    <fieldset className={css['part']}>
      <legend className="visually-hidden">{titleOf(text, part)}</legend>
      <h3 aria-hidden="true">{titleOf(text, part)}</h3>
      <p className={css['detail']}>{detailOf(text, part)}</p>
      <div className={bench['two']}>
        {part.numbers.map((number) => (
          <NumberField
            key={number.path.join('.')}
            label={labelOf(text, number)}
            value={number.value}
            rule={number.rule}
            step={arrowStep(number)}
            onChange={(value) => onChange(number.path, value)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function titleOf({ t }: SimulatorText, { kind, names: [first = '', second = ''] }: EditablePart) {
  if (kind === 'projection') return t('part.projection', { from: first, to: second });
  return t(`part.${kind}`, { name: first });
}

const DETAILS = {
  all: 'kind.all',
  one: 'kind.one',
  probability: 'kind.probability',
  inDegree: 'kind.inDegree',
  list: 'kind.list',
  current: 'kind.current',
  noise: 'kind.noise',
  poisson: 'kind.poisson',
} as const;

const isKnown = (detail: string): detail is keyof typeof DETAILS => Object.hasOwn(DETAILS, detail);

/** The model of a population is a name; what joins or drives is a word. */
const detailOf = ({ t }: SimulatorText, { kind, detail }: EditablePart): string =>
  kind !== 'population' && isKnown(detail) ? t(DETAILS[detail]) : detail;

function labelOf({ t }: SimulatorText, { word }: EditableNumber): string {
  if (word.kind === 'word') return t(`number.${word.word}`);
  const { symbol, unit } = word;
  return unit === '' ? symbol : t('number.withUnit', { symbol, unit });
}

function arrowStep({ rule, value }: EditableNumber): number {
  if (rule.kind === 'integer') return 1;
  return 10 ** (Math.floor(Math.log10(Math.abs(value) || 1)) - 1);
}
