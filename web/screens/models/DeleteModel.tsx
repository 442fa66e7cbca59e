import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ModelDetails } from '../../../edge/registry/contract/model.ts';
import { deleteModel } from '../../api/registry-versions.ts';
import { Button } from '../../ui/Button.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { useModelsText } from './models-text.ts';

/** The button that deletes a model, and what it asks before. */
export function DeleteModel({ model }: { readonly model: ModelDetails }) {
  const { t, format } = useModelsText();
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'open' | 'closed'>('closed');
  const aliases = model.versions.flatMap((version) => version.aliases);
  return (
    <>
      <Button tone="danger" onClick={() => setDialog('open')}>
        {t('delete.open')}
      </Button>
      {dialog === 'open' && (
        <DeleteDialog
          title={t('delete.modelTitle', { model: model.name })}
          name={model.model_id}
          rules={[t('delete.versions', { count: model.versions.length }), t('delete.number')]}
          objections={
            aliases.length > 0 ? [t('delete.aliased', { aliases: format.list(aliases) })] : []
          }
          gone={{ id: model.model_id, version: '' }}
          onDelete={(force) => deleteModel(model.model_id, force)}
          onDeleted={() => navigate('/models')}
          onClose={() => setDialog('closed')}
        />
      )}
    </>
  );
}
