import * as z from 'zod';
import { boundedList, identifier } from '../../api/schemas/scan-report.ts';
import { readCvss } from '../../domain/vulnerabilities/cvss.ts';
import { toFinding } from '../../domain/vulnerabilities/finding.ts';
import { parseRating } from '../../domain/vulnerabilities/severity.ts';
import { listImageSubjects, type Subject } from '../../domain/vulnerabilities/subject.ts';
import type { Finding, NotAffecting } from '../../domain/vulnerabilities/vulnerability.ts';
import { isObject } from '../../util/json.ts';
import { checkBounds, checkReported, parseReport, refuse, refuseEmptyAudit } from './checked.ts';
import { listEquivalents } from './equivalents.ts';
import type { ReportFormat } from './report-format.ts';

const tool = 'snyk';
const title = 'a report of Snyk (snyk test --json)';

const Ids = boundedList(z.string()).nullish();

const Issue = z.object({
  id: identifier,
  /** `license` for violations of a license policy, which are listed among the vulnerabilities. */
  type: z.string().nullish(),
  title: z.string().nullish(),
  severity: z.string(),
  /** Older releases write `critical` only here. */
  severityWithCritical: z.string().nullish(),
  packageName: z.string().nullish(),
  name: z.string().nullish(),
  version: z.string().nullish(),
  /** Dependency path to the package, which is last, as `name@version`. */
  from: boundedList(z.string()).nullish(),
  identifiers: z.object({ CVE: Ids, GHSA: Ids }).nullish(),
  CVSSv3: z.string().nullish(),
  cvssSources: boundedList(z.object({ vector: z.string().nullish() })).nullish(),
  semver: z
    .object({ vulnerable: z.union([z.string(), boundedList(z.string())]).nullish() })
    .nullish()
    .catch(null),
  /** Present since 2023. Most releases write the number as a string. */
  epssDetails: z
    .object({ probability: z.union([z.string(), z.number()]).nullish() })
    .nullish()
    .catch(null),
  /** Reachability analysis, if enabled. */
  reachability: z.string().nullish().catch(null),
  fixedIn: boundedList(z.string()).nullish(),
  references: boundedList(z.object({ url: z.string().nullish() })).nullish(),
});
type Issue = z.infer<typeof Issue>;

const Scanned = z.object({
  vulnerabilities: boundedList(Issue),
  dependencyCount: z.number().nullish(),
  uniqueCount: z.number().nullish(),
});
type Scanned = z.infer<typeof Scanned>;

/** Scanned project. For an image, `applications` contains the applications in it. */
const Project = z.object({
  ...Scanned.shape,
  applications: boundedList(Scanned).nullish(),
  projectName: z.string().nullish().catch(null),
  /** Scanned path or image. */
  path: z.string().nullish().catch(null),
});
type Project = z.infer<typeof Project>;

const Report = boundedList(Project);

const isLicense = ({ type }: Issue): boolean => type === 'license';

const nameComponent = ({ name, packageName, version, from }: Issue): string => {
  if (version) return `${name || packageName || ''} ${version}`;
  const last = from?.at(-1) ?? '';
  const at = last.lastIndexOf('@');
  return at > 0 ? `${last.slice(0, at)} ${last.slice(at + 1)}` : last || packageName || '';
};

/**
 * Returns the statement that the vulnerable code is not reachable. According to Snyk's documentation, `no-path-found`
 * is no proof.
 */
const readNotAffecting = ({ reachability }: Issue): NotAffecting | null =>
  reachability === 'not-reachable' ? { by: tool, reason: reachability } : null;

const readEpss = ({ epssDetails }: Issue): number[] =>
  epssDetails?.probability ? [Number(epssDetails.probability)] : [];

const readFinding = (issue: Issue): Finding => {
  const { CVE, GHSA } = issue.identifiers ?? {};
  return toFinding({
    id: issue.id,
    aliases: listEquivalents(issue.id, [...(CVE ?? []), ...(GHSA ?? [])]),
    summary: issue.title ?? '',
    severity: parseRating(issue.severityWithCritical ?? issue.severity),
    cvss: [issue.CVSSv3, ...(issue.cvssSources ?? []).map(({ vector }) => vector)].map((vector) =>
      readCvss(vector ?? ''),
    ),
    ranges: [issue.semver?.vulnerable ?? []].flat(),
    fixedVersions: issue.fixedIn ?? [],
    references: [
      `https://security.snyk.io/vuln/${encodeURIComponent(issue.id)}`,
      ...(issue.references ?? []).map(({ url }) => url ?? ''),
    ],
    components: [nameComponent(issue)],
    notAffecting: readNotAffecting(issue),
    epss: readEpss(issue),
    sources: ['Snyk'],
  });
};

/** Prefix of an image's name, and of dependency paths in it. */
const imagePrefix = 'docker-image|';

/** Matches an image id. Snyk adds the tag `latest` to it although such an image has no name. */
const imageId = /^(?:sha256:)?[0-9a-f]{12}(?:[0-9a-f]{52})?$/;

/** Returns the image in a dependency path: `docker-image|nginx@1.27` becomes `nginx:1.27`. */
const readImage = (issue: Issue | undefined): string | undefined => {
  const first = issue?.from?.[0] ?? '';
  return first.startsWith(imagePrefix)
    ? first.slice(imagePrefix.length).replace(/@(?!sha256:)/, ':')
    : undefined;
};

const listSubjects = ({ projectName, path, vulnerabilities }: Project): Subject[] => {
  if (!projectName?.startsWith(imagePrefix)) return [];
  const name = projectName.slice(imagePrefix.length);
  if (imageId.test(name)) return [];
  return listImageSubjects(name, [path, readImage(vulnerabilities[0])]);
};

const isProject = (entry: unknown): boolean =>
  isObject(entry) &&
  ('ok' in entry || 'dependencyCount' in entry) &&
  ('vulnerabilities' in entry || 'error' in entry);

/** True for a report of several projects. */
export const isProjectList = (body: unknown): boolean =>
  Array.isArray(body) && body.some(isProject);

/** Checks for error messages, which take the place of a project's report. */
const checkRan = (projects: readonly unknown[]): void => {
  for (const project of projects) {
    if (!isObject(project) || !('error' in project)) continue;
    const { error } = project;
    const reason = typeof error === 'string' && error ? error.slice(0, 300) : 'no reason given';
    throw refuse(title, `Snyk says that the scan failed: ${reason}`);
  }
};

export const snyk: ReportFormat = {
  title,
  tools: [tool],
  recognises: isProject,
  read: (body) => {
    const projects: readonly unknown[] = Array.isArray(body) ? body : [body];
    checkRan(projects);
    const listed = parseReport(title, Report, projects);
    const scanned = listed.flatMap(({ applications, ...project }): Scanned[] => [
      project,
      ...(applications ?? []),
    ]);
    for (const { uniqueCount, vulnerabilities } of scanned) {
      checkReported(title, uniqueCount ?? 0, vulnerabilities);
    }
    const issues = checkBounds(
      title,
      scanned.flatMap(({ vulnerabilities }) => vulnerabilities),
    );
    if (issues.length === 0 && !scanned.some(({ dependencyCount }) => (dependencyCount ?? 0) > 0)) {
      throw refuseEmptyAudit(title);
    }
    return {
      tools: [tool],
      subjects: listed.flatMap(listSubjects),
      findings: issues.filter((issue) => !isLicense(issue)).map(readFinding),
    };
  },
};
