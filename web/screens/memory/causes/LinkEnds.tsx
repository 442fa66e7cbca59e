import { CausalRelation } from '../../../../edge/memory/contract/causal.ts';
import css from '../Graph.module.css';

/** Those with a direction: an arrow where something is brought about, a bar where it is prevented. */
const DIRECTED = CausalRelation.options.filter((relation) => relation !== 'correlates');

/** What edges end in, one of each colour. */
export function LinkEnds() {
  return (
    <defs>
      {DIRECTED.map((relation) => (
        <marker
          key={relation}
          id={`end-${relation}`}
          viewBox="0 0 10 10"
          refX="9"
          refY="5"
          markerWidth="10"
          markerHeight="10"
          markerUnits="userSpaceOnUse"
          orient="auto-start-reverse"
        >
          {relation === 'prevents' ? (
            <path className={css['barEnd']} d="M8 0V10" />
          ) : (
            <path className={css['arrowEnd']} d="M0 0 10 5 0 10Z" />
          )}
        </marker>
      ))}
    </defs>
  );
}
