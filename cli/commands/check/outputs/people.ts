import { formatPackage } from '../../../../shared/domain/packages/format-package.ts';
import {
  counts,
  explainFinding,
  type Finding,
} from '../../../../shared/use-cases/dependency-check/findings.ts';
import { writeRows } from '../../../output/result.ts';
import type { Terminal } from '../../../output/terminal.ts';
import { formatCount } from '../../../output/text.ts';
import type { CheckReport } from '../report.ts';
import { describePlaces, formatVersion } from './places.ts';

/** The rows at a terminal; a file or a pipe gets all. */
const shownRows = 50;

const toRow = (finding: Finding) => {
  const { status, ecosystem, name } = finding;
  return {
    status,
    package: formatPackage({ ecosystem, name, version: formatVersion(finding) }),
    why: explainFinding(finding),
    used_by: describePlaces(finding),
  };
};

/** Writes a table of the packages that are not allowed, with their dependency paths. Without files, it has all packages. */
export const writeForPeople = ({ packages, files }: CheckReport, { out, err }: Terminal): void => {
  const listed = files.length === 0 ? packages : packages.filter(counts);
  const shown = out.isTerminal ? listed.slice(0, shownRows) : listed;
  writeRows(shown.map(toRow), out, {
    format: 'people',
    columns: ['status', 'package', 'why', ...(files.length === 0 ? [] : ['used_by'])],
    droppable: ['used_by'],
  });
  const more = listed.length - shown.length;
  if (more > 0) err.write(`And ${formatCount(more)} more; --json has all.\n`);
};
