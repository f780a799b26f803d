import * as z from 'zod';
import { boundedList, identifier } from '../../api/schemas/scan-report.ts';
import { cleanLine, toFinding } from '../../domain/vulnerabilities/finding.ts';
import { limits } from '../../domain/vulnerabilities/scan-limits.ts';
import type { Finding } from '../../domain/vulnerabilities/vulnerability.ts';
import { isObject } from '../../util/json.ts';
import { checkBounds, parseReport, refuse, refuseEmptyAudit } from './checked.ts';
import type { ReportFormat, Skipped } from './report-format.ts';

const tool = 'pip-audit';
const title = 'a report of pip-audit (pip-audit --format json)';

const PipVulnerability = z.object({
  id: identifier,
  aliases: boundedList(z.string()).nullish(),
  description: z.string().nullish(),
  fix_versions: boundedList(z.string()),
});

const Dependency = z
  .object({
    name: z.string(),
    version: z.string().optional(),
    vulns: boundedList(PipVulnerability).optional(),
    skip_reason: z.string().optional(),
  })
  .refine(({ vulns, skip_reason }) => vulns !== undefined || skip_reason !== undefined, {
    path: ['vulns'],
    error: 'is required',
  });
type Dependency = z.infer<typeof Dependency>;

const Report = z.object({ dependencies: boundedList(Dependency) });

interface Found {
  readonly dependency: Dependency;
  readonly vulnerability: z.infer<typeof PipVulnerability>;
}

const readFinding = ({ dependency, vulnerability }: Found): Finding =>
  toFinding({
    id: vulnerability.id,
    aliases: vulnerability.aliases ?? [],
    summary: vulnerability.description ?? '',
    fixedVersions: vulnerability.fix_versions,
    components: [`${dependency.name} ${dependency.version ?? ''}`],
    sources: ['PyPI'],
  });

const listSkipped = (dependencies: readonly Dependency[]): Skipped[] =>
  dependencies
    .filter(({ vulns }) => vulns === undefined)
    .map(({ name, skip_reason = '' }) => ({
      name: cleanLine(name, limits.componentLength),
      why: cleanLine(skip_reason, limits.reasonLength),
    }));

/** Checks that the audit covered at least one dependency, so that an empty audit never counts as clean. */
const checkCovered = (dependencies: readonly Dependency[]): void => {
  const [skipped] = dependencies;
  if (skipped && dependencies.every(({ vulns }) => vulns === undefined)) {
    const { name, skip_reason = '' } = skipped;
    throw refuse(
      title,
      `it skipped every dependency, such as ${name.slice(0, 100)}: ${skip_reason.slice(0, 300)}; install the dependencies and audit again`,
    );
  }
  if (dependencies.length === 0) throw refuseEmptyAudit(title);
};

/** True for the report of an older release: an array of dependencies without an enclosing object. */
export const isBareList = (body: unknown): boolean =>
  Array.isArray(body) && body.some((entry) => isObject(entry) && 'name' in entry);

export const pipAudit: ReportFormat = {
  title,
  tools: [tool],
  recognises: ({ dependencies }) => dependencies !== undefined,
  read: (body) => {
    const report = isBareList(body) ? { dependencies: body } : body;
    const { dependencies } = parseReport(title, Report, report);
    checkCovered(dependencies);
    const found = dependencies.flatMap((dependency) =>
      (dependency.vulns ?? []).map((vulnerability) => ({ dependency, vulnerability })),
    );
    const findings = checkBounds(title, found).map(readFinding);
    return { tools: [tool], findings, skipped: listSkipped(dependencies) };
  },
};
