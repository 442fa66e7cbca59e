import type { Inhibition } from './contract/alert-rule.ts';
import type { Matcher } from './contract/alert-matcher.ts';
import { agree, compileMatchers, type LabelSet, type Matches } from './labels.ts';

/** A silence in force. */
interface ActiveSilence {
  readonly id: string;
  readonly matchers: readonly Matcher[];
}

/** An alert as far as it matters for what it inhibits. */
interface Source {
  readonly fingerprint: string;
  readonly labels: LabelSet;
  readonly inhibits: readonly Inhibition[];
}

export interface SuppressedBy {
  /** Ids of silences. */
  readonly silencedBy: readonly string[];
  /** Fingerprints of alerts. */
  readonly inhibitedBy: readonly string[];
}

export type Suppression = (alert: Omit<Source, 'inhibits'>) => SuppressedBy;

/**
 * Creates a function that finds what suppresses an alert, given the active silences and the firing alerts.
 * As in Alertmanager, suppressed alerts still inhibit others, and an alert that matches the target of an
 * inhibition is no source of it, so that none inhibits itself.
 */
export function createSuppression(
  silences: readonly ActiveSilence[],
  firing: readonly Source[],
): Suppression {
  const silenced = silences.map(({ id, matchers }) => ({ id, matches: compileMatchers(matchers) }));
  const inhibiting = firing.flatMap(inhibitionsOf);
  return ({ fingerprint, labels }) => ({
    silencedBy: silenced.filter(({ matches }) => matches(labels)).map(({ id }) => id),
    inhibitedBy: [
      ...new Set(
        inhibiting
          .filter(
            ({ source, matches, equal }) =>
              source.fingerprint !== fingerprint &&
              matches(labels) &&
              agree(source.labels, labels, equal),
          )
          .map(({ source }) => source.fingerprint),
      ),
    ],
  });
}

interface Inhibiting {
  readonly source: Source;
  readonly matches: Matches;
  readonly equal: readonly string[];
}

function inhibitionsOf(source: Source): readonly Inhibiting[] {
  return source.inhibits
    .map(({ matchers, equal }) => ({ source, matches: compileMatchers(matchers), equal }))
    .filter(({ matches }) => !matches(source.labels));
}
