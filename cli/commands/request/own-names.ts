import {
  type Finding,
  isOwnFinding,
  type UsedVersion,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import { holdToSources } from '../../../shared/use-cases/dependency-check/sources.ts';

const message =
  'It has the name of one of your own packages, and the index that was used has no known address for it. A stranger may have published its name there (dependency confusion).';

/**
 * Returns the finding, with status `other_source` if the version has the name of an own package: it was resolved from an index
 * on which strangers publish. Only the registry's own host may have it.
 */
export const holdOwnNames = (finding: Finding, used: UsedVersion, host: string): Finding => {
  if (!isOwnFinding(finding)) return finding;
  if (used.dependency.addresses?.length) {
    return holdToSources(finding, used, { origins: {}, trusted: [host] });
  }
  const reasons = [{ code: 'other_source', message }, ...finding.reasons];
  return { ...finding, status: 'other_source', allowed: false, reasons };
};
