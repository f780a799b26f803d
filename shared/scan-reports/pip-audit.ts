import * as z from 'zod';
import { toFinding } from '../domain/scans/finding.ts';
import type { Finding } from '../domain/scans/vulnerability.ts';
import { checked, identifier, list, refuse } from './checked.ts';
import type { ReportFormat } from './report-format.ts';

const title = 'a report of pip-audit (pip-audit --format json)';

const PipVulnerability = z.object({
  id: identifier,
  aliases: list(z.string()).nullish(),
  description: z.string().nullish(),
  fix_versions: list(z.string()),
});

const Dependency = z
  .object({
    name: z.string(),
    version: z.string().optional(),
    vulns: list(PipVulnerability).optional(),
    skip_reason: z.string().optional(),
  })
  .refine(({ vulns, skip_reason }) => vulns !== undefined || skip_reason !== undefined, {
    path: ['vulns'],
    error: 'is required',
  });
type Dependency = z.infer<typeof Dependency>;

const Report = z.object({ dependencies: list(Dependency) });

const findingsOf = ({ name, version, vulns }: Dependency): Finding[] =>
  (vulns ?? []).map(({ id, aliases, description, fix_versions }) =>
    toFinding({
      id,
      aliases: aliases ?? [],
      summary: description ?? '',
      fixedVersions: fix_versions,
      components: [`${name} ${version ?? ''}`],
      sources: ['PyPI'],
    }),
  );

const checkCovered = (dependencies: readonly Dependency[]): void => {
  const skipped = dependencies.find(({ vulns }) => vulns === undefined);
  if (skipped) {
    const { name, skip_reason = '' } = skipped;
    throw refuse(
      title,
      `it skipped ${name.slice(0, 100)}: ${skip_reason.slice(0, 300)}; audit again with every dependency installable`,
    );
  }
  if (dependencies.length === 0) {
    throw refuse(title, 'it looked at no dependency; audit a project that has the package in it');
  }
};

/** Older releases write the dependencies alone, without an object around them. */
const isBareList = (body: unknown): boolean => Array.isArray(body);

export const pipAudit: ReportFormat = {
  title,
  recognises: ({ dependencies }) => dependencies !== undefined,
  read: (body) => {
    const report = isBareList(body) ? { dependencies: body } : body;
    const { dependencies } = checked(title, Report, report);
    checkCovered(dependencies);
    return { tools: ['pip-audit'], findings: dependencies.flatMap(findingsOf) };
  },
};
