import * as z from 'zod';
import { boundedList, identifier } from '../../api/schemas/scan-report.ts';
import { isDigestVersion } from '../../domain/packages/digest-version.ts';
import { toFinding } from '../../domain/vulnerabilities/finding.ts';
import {
  listImageSubjects,
  listPurlSubjects,
  type Subject,
} from '../../domain/vulnerabilities/subject.ts';
import type { Finding, NotAffecting } from '../../domain/vulnerabilities/vulnerability.ts';
import { isObject } from '../../util/json.ts';
import { listTools, parseReport, refuse } from './checked.ts';
import { CycloneDxRating, isKnownExploited, listEpss, readRatings } from './cyclonedx-ratings.ts';
import { listEquivalents } from './equivalents.ts';
import type { ReportFormat } from './report-format.ts';
import { scanTheList } from './unsupported.ts';
import { joinReason } from './vex.ts';

const title = 'a CycloneDX document';

/** Tool name for a document without one. */
const unnamedTool = 'cyclonedx';

const specVersions = ['1.4', '1.5', '1.6', '1.7'];

const Source = z.object({ name: z.string().nullish(), url: z.string().nullish() });

const Affected = z.object({
  ref: z.string(),
  versions: boundedList(
    z.object({ range: z.string().nullish(), status: z.string().nullish() }),
  ).nullish(),
});
type Affected = z.infer<typeof Affected>;

const CycloneDxVulnerability = z.object({
  id: identifier,
  source: Source.nullish(),
  references: boundedList(z.object({ id: z.string().nullish() })).nullish(),
  ratings: boundedList(CycloneDxRating).nullish(),
  description: z.string().nullish(),
  recommendation: z.string().nullish(),
  advisories: boundedList(z.object({ url: z.string().nullish() })).nullish(),
  affects: boundedList(Affected).nullish(),
  analysis: z
    .object({
      state: z.string().nullish(),
      justification: z.string().nullish(),
      detail: z.string().nullish(),
    })
    .nullish()
    .catch(null),
});
type CycloneDxVulnerability = z.infer<typeof CycloneDxVulnerability>;

const Tools = boundedList(z.object({ name: z.string().nullish() }));

const Described = z.object({
  type: z.string().nullish(),
  name: z.string().nullish(),
  version: z.string().nullish(),
  purl: z.string().nullish(),
});
type Described = z.infer<typeof Described>;

const Report = z.object({
  bomFormat: z.literal('CycloneDX', { error: 'must be CycloneDX' }),
  specVersion: z.string().refine((version) => specVersions.includes(version), {
    error: `must be one of ${specVersions.join(', ')}`,
  }),
  metadata: z
    .object({
      // An object since CycloneDX 1.5.
      tools: z.union([Tools, z.object({ components: Tools.nullish() })]).nullish(),
      /** Component that the document describes. */
      component: Described.nullish().catch(null),
    })
    .nullish(),
  vulnerabilities: boundedList(CycloneDxVulnerability),
});
type Report = z.infer<typeof Report>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns a component's name in the notation of its ecosystem, with its version. */
const nameComponent = ({
  group,
  name,
  version,
  purl,
}: Readonly<Record<string, unknown>>): string => {
  const separator = isText(purl) && purl.startsWith('pkg:maven/') ? ':' : '/';
  return `${[group, name].filter(isText).join(separator)} ${isText(version) ? version : ''}`;
};

/** Returns the names of components by `bom-ref`. Components nest to any depth. Malformed ones are skipped. */
const nameComponents = (body: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  const metadata = isObject(body['metadata']) ? body['metadata'] : {};
  const waiting: unknown[] = [metadata['component'], body['components']];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) {
      for (const component of next) waiting.push(component);
    } else if (isObject(next)) {
      if (isText(next['bom-ref'])) names.set(next['bom-ref'], nameComponent(next));
      waiting.push(next['components']);
    }
  }
  return names;
};

/** Returns a range in plain notation: `vers:npm/>=1.0.0|<1.2.6` becomes `>=1.0.0 <1.2.6`. */
const formatRange = (range: string): string =>
  range.replace(/^vers:[^/]{1,50}\//, '').replaceAll('|', ' ');

const listRanges = (affects: readonly Affected[]): string[] =>
  affects
    .flatMap(({ versions }) => versions ?? [])
    .filter(({ status }) => (status ?? 'affected') === 'affected')
    .map(({ range }) => formatRange(range ?? ''));

const maxRecommendation = 2000;

/** Returns the fixed versions in Trivy's text: `Upgrade NAME to version 1.0.1, 2.0.3; Upgrade OTHER to version 1.0`. */
const listFixes = (recommendation: string): string[] =>
  recommendation
    .slice(0, maxRecommendation)
    .split(';')
    .flatMap((advice) => /^ ?Upgrade \S+ to version (.+)$/.exec(advice)?.[1]?.split(',') ?? []);

const harmlessStates = ['not_affected', 'false_positive'];

const readNotAffecting = (
  { analysis }: CycloneDxVulnerability,
  tools: readonly string[],
): NotAffecting | null => {
  const { state, justification, detail } = analysis ?? {};
  if (!state || !harmlessStates.includes(state)) return null;
  return { by: tools.join(', '), reason: joinReason(state, justification, detail) };
};

const readFinding =
  (components: ReadonlyMap<string, string>, tools: readonly string[]) =>
  (given: CycloneDxVulnerability): Finding => {
    const affects = given.affects ?? [];
    const { severity, cvss } = readRatings(given);
    const others = (given.references ?? []).map(({ id }) => id ?? '');
    return toFinding({
      id: given.id,
      aliases: listEquivalents(given.id, others),
      summary: given.description ?? '',
      severity,
      cvss: [cvss],
      ranges: listRanges(affects),
      fixedVersions: listFixes(given.recommendation ?? ''),
      references: [
        given.source?.url ?? '',
        ...(given.advisories ?? []).map(({ url }) => url ?? ''),
      ],
      components: affects.map(({ ref }) => components.get(ref) ?? ref),
      notAffecting: readNotAffecting(given, tools),
      knownExploited: isKnownExploited(given),
      epss: listEpss(given),
      sources: [given.source?.name || unnamedTool],
    });
  };

/**
 * Returns the names of an image. Some tools write its tag in the name, others in the version, which may also be a
 * digest.
 */
const listImageNames = ({ name, version }: Described): string[] => {
  if (!name) return [];
  return version ? [name, `${name}${isDigestVersion(version) ? '@' : ':'}${version}`] : [name];
};

/** Returns the described component as subject. Images are identified by name first, which more often has the tag. */
const listSubjects = ({ metadata }: Report): Subject[] => {
  const described = metadata?.component;
  if (!described) return [];
  const images =
    described.type === 'container'
      ? listImageSubjects(described.name, listImageNames(described))
      : [];
  return images.length > 0 ? images : listPurlSubjects(described.purl);
};

const listNames = ({ metadata }: Report): string[] => {
  const tools = metadata?.tools ?? [];
  const named = Array.isArray(tools) ? tools : (tools.components ?? []);
  return named.map(({ name }) => name ?? '');
};

/** True if a document lists no vulnerabilities. Versions before 1.4 cannot contain any. */
const listsNone = (vulnerabilities: unknown): boolean =>
  vulnerabilities == null || (Array.isArray(vulnerabilities) && vulnerabilities.length === 0);

/**
 * Format of CycloneDX documents with vulnerabilities, which several scanners write. A document without vulnerabilities
 * is an SBOM: it does not say whether it was scanned.
 */
export const cycloneDx: ReportFormat = {
  title: 'CycloneDX as JSON, with vulnerabilities',
  tools: [unnamedTool],
  namesTools: true,
  recognises: ({ bomFormat }) => bomFormat !== undefined,
  read: (body) => {
    const document = isObject(body) ? body : {};
    if (listsNone(document['vulnerabilities'])) {
      throw refuse(
        title,
        `it lists no vulnerabilities, and does not say whether it was scanned; ${scanTheList}`,
      );
    }
    const report = parseReport(title, Report, document);
    const named = listTools(title, listNames(report));
    const tools = named.length > 0 ? named : [unnamedTool];
    const read = readFinding(nameComponents(document), tools);
    return { tools, subjects: listSubjects(report), findings: report.vulnerabilities.map(read) };
  },
};
