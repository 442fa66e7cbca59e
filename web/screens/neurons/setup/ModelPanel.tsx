import { servicesQuery } from '../../../api/queries.ts';
import type { HostPlugin } from '../../../neuron-lab/host-runner.ts';
import { INPUT, type KnobValues, presetValues, writeKnobs } from '../../../neuron-lab/knobs.ts';
import type { ModelFacts } from '../../../neuron-lab/protocol.ts';
import { hostsAmong, pluginsQuery } from '../../../plugins/plugin-queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Note } from '../../../ui/Layout.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import bench from '../../../ui/Workbench.module.css';
import css from '../Neurons.module.css';
import {
  type ChangeNeurons,
  type Choice,
  EQUATIONS,
  MODEL_NAMES,
  OWN,
  pluginModel,
  type ShownModel,
} from '../neurons-fields.ts';
import { type NeuronsText, useNeuronsText } from '../neurons-text.ts';
import { KnobField } from './KnobField.tsx';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

interface ModelPanelProps {
  /** As the address names it. */
  readonly name: string;
  /** The model that was opened from a file, if any. */
  readonly own: ModelFacts | null;
  readonly choice: Choice;
  readonly onChange: ChangeNeurons;
}

/** Which model, and the numbers in its equations. */
export function ModelPanel({ name, own, choice, onChange }: ModelPanelProps) {
  const { t } = useNeuronsText();
  const { model, knobs, values } = choice;
  const set = (next: KnobValues) => onChange({ p: writeKnobs(knobs, next) });
  return (
    <Panel
      title={t('model.title')}
      actions={
        <Button tone="quiet" icon="reset" onClick={() => onChange({ p: '' })}>
          {t('model.initial')}
        </Button>
      }
    >
      <div className={bench['fields']}>
        <SelectField
          label={t('model.choose')}
          options={useModelOptions(name, own)}
          value={name}
          onChange={(next) => onChange({ model: next, p: '' })}
        />
        {isMissing({ name, own, choice }) && (
          <Note as="output">{t('model.missing', { name, shown: model.name })}</Note>
        )}
        <PresetSelect choice={choice} onChoose={set} />
        {knobs
          .filter((knob) => knob.name !== INPUT)
          .map((knob) => (
            <KnobField
              key={knob.name}
              knob={knob}
              value={values[knob.name] ?? knob.initial}
              onChange={(value) => set({ ...values, [knob.name]: value })}
            />
          ))}
        {choice.plugin && (
          <Note>
            {t('model.pluginNote')}{' '}
            <Link href={pluginHref(choice.plugin)}>{t('model.pluginLink')}</Link>
          </Note>
        )}
        {model.equations.length > 0 && <Equations model={model} />}
      </div>
    </Panel>
  );
}

/** Whether the address names a model that is nowhere. */
const isMissing = ({ name, own, choice }: Pick<ModelPanelProps, 'name' | 'own' | 'choice'>) =>
  !choice.plugin &&
  name !== EQUATIONS &&
  !MODEL_NAMES.some((known) => known === name) &&
  !(name === OWN && own);

/** The catalogue, the neuron plugins that run on hosts, and one's own. */
function useModelOptions(name: string, own: ModelFacts | null) {
  const { t } = useNeuronsText();
  const plugins = useHostNeurons().map((plugin) => ({
    value: pluginModel(plugin),
    label: t('model.plugin', plugin),
  }));
  const options = [
    ...MODEL_NAMES.map((value) => ({ value: value as string, label: t(`model.${value}`) })),
    { value: EQUATIONS, label: t('model.equationsOwn') },
    ...plugins,
    ...(own ? [{ value: OWN, label: t('model.ownNamed', { name: own.name }) }] : []),
  ];
  // A plugin that is not active now is still what the address names.
  return options.some(({ value }) => value === name)
    ? options
    : [...options, { value: name, label: name }];
}

function Equations({ model }: { readonly model: ShownModel }) {
  const { t } = useNeuronsText();
  return (
    <>
      <ul className={css['equations']} aria-label={t('model.equations')} lang="en">
        {model.equations.map((equation) => (
          <li key={equation}>
            <code>{equation}</code>
          </li>
        ))}
      </ul>
      <Note>{t('model.source', { source: model.source })}</Note>
    </>
  );
}

interface PresetSelectProps {
  readonly choice: Choice;
  readonly onChoose: (values: KnobValues) => void;
}

const CUSTOM = '';

function PresetSelect({ choice, onChoose }: PresetSelectProps) {
  const text = useNeuronsText();
  const { model, knobs } = choice;
  const names = Object.keys(model.presets);
  if (names.length === 0) return null;
  const current = names.find((name) => holds(choice, model.presets[name] ?? {})) ?? CUSTOM;
  const offered = [...(current === CUSTOM ? [CUSTOM] : []), ...names];
  return (
    <SelectField
      label={text.t('model.preset')}
      options={offered.map((value) => ({ value, label: presetLabel(text, value) }))}
      value={current}
      onChange={(name) => onChoose(presetValues(knobs, model.presets[name] ?? {}))}
    />
  );
}

/** Whether every parameter of a preset has its value. */
function holds({ values }: Choice, preset: Readonly<Record<string, number>>): boolean {
  return Object.entries(preset).every(([name, value]) => values[name] === value);
}

const PRESETS = {
  [CUSTOM]: 'model.custom',
  RS: 'preset.RS',
  IB: 'preset.IB',
  CH: 'preset.CH',
  FS: 'preset.FS',
  LTS: 'preset.LTS',
  TC: 'preset.TC',
  RZ: 'preset.RZ',
  Brunel: 'preset.Brunel',
} as const;

const isKnown = (name: string): name is keyof typeof PRESETS => Object.hasOwn(PRESETS, name);

const presetLabel = ({ t }: NeuronsText, name: string): string =>
  isKnown(name) ? t(PRESETS[name]) : name;

const pluginHref = ({ host, name }: HostPlugin) =>
  `/plugins?${new URLSearchParams({ host, plugin: name }).toString()}`;

/** The neuron plugins that are active on the hosts behind the gateway. */
function useHostNeurons(): readonly HostPlugin[] {
  const services = useQuery(servicesQuery).data;
  const hosts = services ? hostsAmong(services) : [];
  const lists = useQueries({ queries: hosts.map((host) => pluginsQuery(host)) });
  return lists.flatMap(({ data }, index) =>
    (data?.plugins ?? [])
      .filter(({ type, status }) => type === 'NEURON' && status === 'ACTIVE')
      .map(({ name }) => ({ host: hosts[index] ?? '', name })),
  );
}
