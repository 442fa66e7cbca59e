import type { CausalLink, CausalPath } from '../../../../edge/memory/contract/causal.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { LinkButton } from '../../../ui/LinkButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import css from '../Memory.module.css';
import { useMemoryText } from '../memory-text.ts';
import { linkId } from './graph-layout.ts';

export interface PathPanelProps {
  readonly path: CausalPath;
  readonly from: string;
  readonly to: string;
  readonly onLink: (id: string) => void;
  readonly onClose: () => void;
}

/** The way from a cause to an effect, a line for each step. */
export function PathPanel({ path, from, to, onLink, onClose }: PathPanelProps) {
  const { t, format } = useMemoryText();
  const { links, confidence } = path;
  return (
    <Panel
      title={t('path.title')}
      note={
        links.length === 0
          ? t('path.none', { from, to })
          : t('path.sentence', { count: links.length, value: format.percent(confidence) })
      }
      actions={<IconButton icon="close" label={t('path.close')} onClick={onClose} />}
    >
      <ol className={css['ways']} aria-label={t('path.title')}>
        {links.map((link: CausalLink) => (
          <li key={linkId(link)} lang="">
            <LinkButton onClick={() => onLink(linkId(link))}>
              {t(`link.${link.relation}`, { cause: link.cause, effect: link.effect })}
            </LinkButton>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
