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
    ...{ status, ecosystem, name, version: formatVersion(finding) },
    why: explainFinding(finding),
    used_by: describePlaces(finding),
  };
};

/** Writes a table of the packages that are not allowed, with their dependency paths. */
export const writeForPeople = ({ packages }: CheckReport, { out, err }: Terminal): void => {
  const failing = packages.filter(counts);
  const shown = out.isTerminal ? failing.slice(0, shownRows) : failing;
  writeRows(shown.map(toRow), out, {
    format: 'people',
    columns: ['status', 'ecosystem', 'name', 'version', 'why', 'used_by'],
  });
  const more = failing.length - shown.length;
  if (more > 0) err.write(`And ${formatCount(more)} more; --json has all.\n`);
};
