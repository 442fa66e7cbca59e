import type { CausalLink, CausalSupport } from '../../../../edge/memory/contract/causal.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Row, Stack } from '../../../ui/Layout.tsx';
import { LinkButton } from '../../../ui/LinkButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import css from '../Memory.module.css';
import { Marked } from '../MemoryParts.tsx';
import { useMemoryText } from '../words/en-memory.ts';

interface LinkPanelProps {
  readonly link: CausalLink;
  /** Opens the supporting memory with the evidence highlighted. */
  readonly onMemory: (support: CausalSupport) => void;
  readonly onNode: (key: string) => void;
  readonly onClose: () => void;
}

/** One edge with its supporting memories. */
export function LinkPanel({ link, onMemory, onNode, onClose }: LinkPanelProps) {
  const { t, format } = useMemoryText();
  const write = (at: string) => format.dateTime(new Date(at));
  const facts = [
    { label: t('column.confidence'), value: format.percent(link.confidence) },
    { label: t('link.from'), value: write(link.valid_at) },
    {
      label: t('link.until'),
      value: link.invalid_at === null ? t('link.open') : write(link.invalid_at),
    },
    {
      label: t('link.memories'),
      value: format.integer(link.evidence_memory_ids.length),
    },
  ];
  return (
    <Panel
      title={t(`link.${link.relation}`, { cause: link.cause, effect: link.effect })}
      actions={<IconButton icon="close" label={t('link.close')} onClick={onClose} />}
    >
      <Row as="p" gap={[2, 4]}>
        <LinkButton onClick={() => onNode(link.from)}>{t('link.toCause')}</LinkButton>
        <LinkButton onClick={() => onNode(link.to)}>{t('link.toEffect')}</LinkButton>
        {link.contradicted && <Badge tone="warn">{t('relation.contradicted')}</Badge>}
      </Row>
      <Facts facts={facts} />
      <h3>{t('link.evidence')}</h3>
      <Stack as="ul" gap={3}>
        {link.supports.map((support) => (
          <li key={`${support.memory_id} ${support.evidence}`}>
            <Support support={support} onMemory={onMemory} />
          </li>
        ))}
      </Stack>
    </Panel>
  );
}

interface SupportProps {
  readonly support: CausalSupport;
  readonly onMemory: LinkPanelProps['onMemory'];
}

function Support({ support, onMemory }: SupportProps) {
  const { t, format } = useMemoryText();
  const { evidence, cue, confidence, pattern, language } = support;
  return (
    <>
      <blockquote className={css['evidence']} lang={language}>
        <Marked text={evidence} part={cue} />
      </blockquote>
      <p className={css['source']}>
        {t('link.read', {
          cue,
          pattern: t(`pattern.${pattern}`),
          value: format.percent(confidence),
        })}
        <LinkButton onClick={() => onMemory(support)}>{t('link.memory')}</LinkButton>
      </p>
    </>
  );
}
