import * as z from 'zod';
import {
  type Finding,
  findingStatuses,
  isFrozenFinding,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import { readJsonInput } from '../../input/files.ts';
import { UsageError } from '../../input/usage-error.ts';

/** The fields of an earlier report that a baseline needs. */
const Baseline = z.object({
  packages: z.array(
    z.object({
      ecosystem: z.string().nullable(),
      name: z.string(),
      version: z.string().nullable(),
      status: z.string(),
      allowed: z.boolean(),
    }),
  ),
});

type Known = z.infer<typeof Baseline>['packages'][number];

const toKey = ({ ecosystem, name, version, status }: Known | Finding): string =>
  JSON.stringify([ecosystem, name, version, status]);

/** Statuses that no baseline allows: the content or the host may have changed again. */
const neverInBaseline: readonly Finding['status'][] = ['other_content', 'other_source'];

/**
 * Reads the packages that an earlier check did not allow.
 * @returns a function that marks findings that are in the baseline and have become no worse
 * @throws {UsageError} if the file is no report of a check
 */
export const readBaseline = async (file: string): Promise<(finding: Finding) => Finding> => {
  const { data } = Baseline.safeParse(await readJsonInput(file));
  if (!data) {
    throw new UsageError(`${file} is no baseline: write one with registry check --json > ${file}`);
  }
  const known = new Set(data.packages.filter(({ allowed }) => !allowed).map(toKey));
  const asBad = (status: Finding['status']) =>
    findingStatuses
      .slice(0, findingStatuses.indexOf(status) + 1)
      .filter((one) => !neverInBaseline.includes(one));
  return (finding) => ({
    ...finding,
    in_baseline:
      !finding.allowed &&
      !neverInBaseline.includes(finding.status) &&
      !isFrozenFinding(finding) &&
      asBad(finding.status).some((status) => known.has(toKey({ ...finding, status }))),
  });
};
