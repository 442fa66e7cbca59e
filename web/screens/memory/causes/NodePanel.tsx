import type { CausalLink, CausalNode } from '../../../../edge/memory/contract/causal.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Grid, Note, Row } from '../../../ui/Layout.tsx';
import { LinkButton } from '../../../ui/LinkButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import css from '../Memory.module.css';
import { useMemoryText } from '../words/en-memory.ts';
import { linkId } from './graph-layout.ts';

interface NodePanelProps {
  readonly node: CausalNode;
  readonly links: readonly CausalLink[];
  /** Whether it is a start node, whose neighbours are already shown. */
  readonly isStart: boolean;
  readonly onExpand: () => void;
  readonly onAlone: () => void;
  readonly onFrom: () => void;
  readonly onTo: () => void;
  readonly onLink: (id: string) => void;
  readonly onClose: () => void;
}

/** One cause or effect with its edges and actions. */
export function NodePanel(props: NodePanelProps) {
  const { node, links, isStart, onExpand, onAlone, onFrom, onTo, onLink, onClose } = props;
  const { t } = useMemoryText();
  return (
    <Panel
      title={node.label}
      note={t('node.spoken', { incoming: node.incoming, outgoing: node.outgoing })}
      actions={<IconButton icon="close" label={t('node.close')} onClick={onClose} />}
    >
      <Row justify="space-between" gap={[2, 3]}>
        <Button icon="add" state={isStart ? 'blocked' : 'ready'} onClick={onExpand}>
          {t('node.expand')}
        </Button>
        <Button onClick={onAlone}>{t('node.alone')}</Button>
        <Button onClick={onFrom}>{t('node.from')}</Button>
        <Button onClick={onTo}>{t('node.to')}</Button>
      </Row>
      <Grid min="14rem" gap={[3, 4]} align="start">
        <Ends
          title={t('node.causes')}
          none={t('node.noCauses')}
          links={links.filter(({ to }) => to === node.key)}
          onLink={onLink}
        />
        <Ends
          title={t('node.effects')}
          none={t('node.noEffects')}
          links={links.filter(({ from }) => from === node.key)}
          onLink={onLink}
        />
      </Grid>
    </Panel>
  );
}

interface EndsProps {
  readonly title: string;
  readonly none: string;
  readonly links: readonly CausalLink[];
  readonly onLink: (id: string) => void;
}

function Ends({ title, none, links, onLink }: EndsProps) {
  const { t } = useMemoryText();
  return (
    <div>
      <h3>{title}</h3>
      {links.length === 0 && <Note>{none}</Note>}
      <ul className={css['ways']}>
        {links.map((link) => (
          <li key={linkId(link)} lang="">
            <LinkButton onClick={() => onLink(linkId(link))}>
              {t(`link.${link.relation}`, { cause: link.cause, effect: link.effect })}
            </LinkButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
