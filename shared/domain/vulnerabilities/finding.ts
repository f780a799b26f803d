import { findHiddenFault } from '../../util/characters.ts';
import { type Cvss, chooseCvss, rateCvss } from './cvss.ts';
import { limits } from './scan-limits.ts';
import type { Rating } from './severity.ts';
import type { Finding, NotAffecting } from './vulnerability.ts';

/** Vulnerability as a report describes it, before normalization: of any length and spelling. */
export interface ReportedFinding {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly summary?: string | undefined;
  /** Rating by the report. Without it, the CVSS vector decides. */
  readonly severity?: Rating | null;
  readonly cvss?: readonly (Cvss | null)[];
  readonly ranges?: readonly string[];
  readonly fixedVersions?: readonly string[];
  readonly fixState?: string | null | undefined;
  readonly references?: readonly string[];
  readonly components?: readonly string[];
  readonly notAffecting?: NotAffecting | null;
  readonly knownExploited?: boolean;
  /** EPSS probabilities from 0 to 1. Invalid values are ignored. */
  readonly epss?: readonly unknown[];
  readonly sources?: readonly string[];
}

const controlCharacters = /\p{Cc}+/gu;

const written = /^https?:\/\/[^\s\p{Cc}"<>\\`]+$/iu;

/**
 * Returns text on one line, without control characters or malformed Unicode, and with at most `maxLength` characters.
 */
export const cleanLine = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).toWellFormed().replace(controlCharacters, ' ').trim();

/** Returns the distinct non-blank lines of a list, at most `maxCount`. */
const cleanLines = (texts: readonly string[], maxLength: number, maxCount: number): string[] => {
  const lines = new Set<string>();
  for (const text of texts) {
    if (lines.size >= maxCount) break;
    const line = cleanLine(text, maxLength);
    if (line !== '') lines.add(line);
  }
  return [...lines];
};

/**
 * True if a page may show the text as a link: an http(s) URL without user or password. Texts longer than a URL may be
 * are dropped rather than cut, since a cut URL leads elsewhere.
 */
const isLink = (text: string): boolean => {
  if (text.length > limits.referenceLength || !written.test(text)) return false;
  if (findHiddenFault(text) !== undefined) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
};

const cleanNotAffecting = (reported: NotAffecting | null): NotAffecting | null =>
  reported && {
    by: cleanLine(reported.by, limits.toolLength),
    reason: cleanLine(reported.reason, limits.notAffectingLength),
  };

const isProbability = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 1;

/** Returns the highest valid probability, or null if there is none. */
const chooseEpss = (values: readonly unknown[]): number | null => {
  const known = values.filter(isProbability);
  return known.length > 0 ? Math.max(...known) : null;
};

/**
 * Returns a finding within the limits of a scan result, with clipped lines, without duplicates, and with valid links
 * only.
 */
export const toFinding = (reported: ReportedFinding): Finding => {
  const id = cleanLine(reported.id, limits.idLength);
  const cvss = chooseCvss(reported.cvss ?? []);
  const aliases = cleanLines(reported.aliases ?? [], limits.idLength, limits.aliases + 1);
  return {
    id,
    aliases: aliases.filter((alias) => alias !== id).slice(0, limits.aliases),
    summary: cleanLine(reported.summary ?? '', limits.summaryLength),
    severity: reported.severity ?? rateCvss(cvss) ?? 'unrated',
    cvss,
    affected_range: cleanLines(
      reported.ranges ?? [],
      limits.clauseLength,
      limits.rangeClauses,
    ).join(' || '),
    fixed_versions: cleanLines(
      reported.fixedVersions ?? [],
      limits.versionLength,
      limits.fixedVersions,
    ),
    fix_state: cleanLine(reported.fixState ?? '', limits.fixStateLength) || null,
    references: cleanLines(
      (reported.references ?? []).filter(isLink),
      limits.referenceLength,
      limits.references,
    ),
    components: cleanLines(reported.components ?? [], limits.componentLength, limits.components),
    not_affecting: cleanNotAffecting(reported.notAffecting ?? null),
    known_exploited: reported.knownExploited ?? false,
    epss: chooseEpss(reported.epss ?? []),
    source: cleanLines(reported.sources ?? [], limits.sourceLength, limits.tools).join(', '),
  };
};
