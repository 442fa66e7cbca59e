import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import type { ModelDetails } from '../../../edge/contract/model.ts';
import { modelQuery } from '../../api/queries.ts';
import { useText } from '../../i18n/text-context.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { oneOf, text } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import css from './Model.module.css';
import { ModelFacts } from './ModelFacts.tsx';
import { ModelFiles } from './ModelFiles.tsx';
import { ModelVersions } from './ModelVersions.tsx';
import { StatusBadge } from './StatusBadge.tsx';

const TABS = ['files', 'details', 'versions'] as const;
const FIELDS = { version: text('', 128), tab: oneOf('files', TABS) };

/** One model: the version that the address names or else its default one. */
export function Model() {
  const { t } = useText();
  const id = decodeURIComponent(useParams<{ id: string }>().id);
  const [{ version, tab }, setState] = useUrlState(FIELDS);
  const { data, error, refetch } = useQuery(modelQuery(id, version));
  const back = (
    <Link href="/models" className={buttonClass('secondary')}>
      {t('model.back')}
    </Link>
  );
  if (!data) {
    return (
      <Screen title={id} actions={back}>
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton lines={8} lineRem={3} />
        )}
      </Screen>
    );
  }
  const contents = {
    files: <ModelFiles model={data} />,
    details: <ModelFacts model={data} />,
    versions: <ModelVersions model={data} />,
  };
  return (
    <Screen title={data.name} lead={data.description} actions={back}>
      <ModelHead model={data} onVersion={(chosen) => setState({ version: chosen })} />
      <Tabs
        label={t('model.parts')}
        tabs={TABS.map((value) => ({
          value,
          label: t(`model.${value}`),
          content: contents[value],
        }))}
        value={tab}
        onChange={(chosen) => setState({ tab: chosen })}
      />
    </Screen>
  );
}

interface ModelHeadProps {
  readonly model: ModelDetails;
  readonly onVersion: (version: string) => void;
}

/** Which model and which of its versions this is. */
function ModelHead({ model, onVersion }: ModelHeadProps) {
  const { t, format } = useText();
  const { version, status, status_message: message } = model;
  return (
    <div className={css['head']}>
      <div className={css['version']}>
        <SelectField
          label={t('model.versionShown')}
          options={model.versions.map((other) => ({ value: other.version, label: other.version }))}
          value={version}
          onChange={onVersion}
        />
      </div>
      <p className={css['state']}>
        <StatusBadge status={status} />
        <code>{model.model_id}</code>
        <span>{format.bytes(model.total_size_bytes)}</span>
        {message && <span lang="en">{message}</span>}
      </p>
    </div>
  );
}
